import type { Outcome, Place } from "./outcome";

const UNREACHABLE = "The server did not answer. We do not know whether this was done: load the page again to see.";

type Problem = {
  detail?: string;
  title?: string;
  code?: string;
  field?: string;
  line?: number;
  column?: number;
  suggestion?: string;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Performs an action as the person signed in. A failure carries the server's own words, field and place. */
export async function act<T = unknown>(method: Method, path: string, body: unknown = {}): Promise<Outcome<T>> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json" },
      ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
    });
    if (response.ok) return { ok: true, value: (await response.json()) as T };
    return failure((await response.json()) as Problem, response.status);
  } catch {
    return { ok: false, code: "unreachable", message: UNREACHABLE };
  }
}

function failure(problem: Problem, status: number): Outcome<never> {
  const message = problem.detail ?? problem.title ?? `The server refused it with status ${status}.`;
  const place = placeOf(problem);
  return {
    ok: false,
    message,
    code: problem.code ?? String(status),
    ...(problem.field === undefined ? {} : { field: problem.field }),
    ...(place ? { place } : {}),
  };
}

function placeOf({ line, column, suggestion }: Problem): Place | undefined {
  if (line === undefined || column === undefined) return undefined;
  return { line, column, ...(suggestion === undefined ? {} : { suggestion }) };
}
