import type { Outcome } from "@/app/_ui/outcome";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const REFUSED =
  "Not signed in: no account has this e-mail address and password. After 5 failures it locks for 15 minutes.";
const UNREACHABLE = "Not signed in: the server did not answer.";

/** Signs in with a password. One message for every refusal, so that it tells nothing about who has an account. */
export async function signIn(email: string, password: string): Promise<Outcome> {
  try {
    const csrfToken = await csrf();
    const body = new URLSearchParams({ email, password, csrfToken, json: "true" });
    const response = await fetch("/api/auth/callback/credentials", { method: "POST", headers: FORM, body });
    return response.ok ? { ok: true, value: null } : { ok: false, code: "refused", message: REFUSED };
  } catch {
    return { ok: false, code: "unreachable", message: UNREACHABLE };
  }
}

/** Ends this sign-in and goes to the page for the next. */
export async function signOut(): Promise<void> {
  try {
    const body = new URLSearchParams({ csrfToken: await csrf(), json: "true" });
    await fetch("/api/auth/signout", { method: "POST", headers: FORM, body });
  } finally {
    location.assign("/sign-in");
  }
}

async function csrf(): Promise<string> {
  const response = await fetch("/api/auth/csrf");
  const { csrfToken } = (await response.json()) as { csrfToken: string };
  return csrfToken;
}
