import type { Outcome } from "@/app/_ui/outcome";

const UNREACHABLE = "The server did not answer, so nothing was done. Try again.";

type Problem = { detail?: string; code?: string; field?: string };

/** Posts JSON to one of the doors that need no credential. A failure carries the server's own words. */
export async function post<T>(path: string, body: object): Promise<Outcome<T>> {
  try {
    const headers = { "content-type": "application/json" };
    const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    if (response.ok) return { ok: true, value: (await response.json()) as T };
    const { detail, code, field } = (await response.json()) as Problem;
    const message = detail ?? `The server refused it with status ${response.status}.`;
    return { ok: false, code: code ?? "refused", message, ...(field === undefined ? {} : { field }) };
  } catch {
    return { ok: false, code: "unreachable", message: UNREACHABLE };
  }
}

/** Signs in with a password; the cookie that comes of it is out of reach of scripts. */
export async function signIn(email: string, password: string): Promise<Outcome> {
  return post("/api/auth/callback/credentials", { email, password, csrfToken: await csrf(), json: "true" });
}

/** Ends this sign-in and goes to the page for the next. */
export async function signOut(): Promise<void> {
  await post("/api/auth/signout", { csrfToken: await csrf(), json: "true" });
  location.assign("/sign-in");
}

async function csrf(): Promise<string> {
  try {
    const response = await fetch("/api/auth/csrf");
    return ((await response.json()) as { csrfToken: string }).csrfToken;
  } catch {
    return "";
  }
}
