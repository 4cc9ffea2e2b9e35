import type { Outcome } from "./outcome";

const UNREACHABLE = "The server did not answer. We do not know whether this was done: load the page again to see.";

type Problem = { detail?: unknown; title?: unknown };

/** Performs an action over the HTTP API as the person signed in. A failure carries the server's own words. */
export async function act(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body: unknown = {},
): Promise<Outcome> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers: { "content-type": "application/json", "x-countersign": "web" },
      body: JSON.stringify(body),
    });
    if (response.ok) return { ok: true };
    const problem = (await response.json()) as Problem;
    return { ok: false, message: String(problem.detail ?? problem.title ?? `Refused with status ${response.status}.`) };
  } catch {
    return { ok: false, message: UNREACHABLE };
  }
}

export async function signOut(): Promise<void> {
  await fetch("/api/auth/signout", { method: "POST", headers: { "x-countersign": "web" } }).catch(() => undefined);
  location.assign("/sign-in");
}
