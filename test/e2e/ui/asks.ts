import type { App } from "@/test/support/app";

/** Asks for a mail as the demo's agent. Returns the ids of the request and of the approval that it waits for. */
export async function askForMail(
  app: App,
  args: object = {},
  note?: string,
): Promise<{ id: string; approval: string }> {
  const response = await fetch(`${app.url}/api/v1/tool-requests`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.demo.agent.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      action: "email.send",
      connection: app.demo.connections.mail,
      arguments: { to: ["ada@customer.example"], subject: "Your order", text: "It left our warehouse today.", ...args },
      ...(note === undefined ? {} : { note }),
    }),
  });
  const body = (await response.json()) as { id: string; approval?: { id: string } };
  if (!body.approval) throw new Error(`the mail waits for a person: ${response.status} ${JSON.stringify(body)}`);
  return { id: body.id, approval: body.approval.id };
}

/** Asks to call a host with the longest name there can be, which no grant of the demo allows. Returns the request's id. */
export async function askForLongHost(app: App): Promise<string> {
  const host = `${["a", "b", "c", "d"].map((letter) => letter.repeat(58)).join(".")}.example`;
  const response = await fetch(`${app.url}/api/v1/tool-requests`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.demo.agent.key}`, "content-type": "application/json" },
    body: JSON.stringify({
      action: "http.request",
      connection: app.demo.connections.web,
      arguments: { method: "GET", url: `https://${host}/${"path".repeat(60)}?q=${"e".repeat(200)}` },
    }),
  });
  return ((await response.json()) as { id: string }).id;
}

/** Rejects whatever waits, so that a test starts with an empty queue, tried again or not. */
export async function clearQueue(app: App): Promise<void> {
  const headers = { authorization: `Bearer ${app.demo.owner.token}` };
  const read = await fetch(`${app.url}/api/v1/approvals?status=pending&limit=100`, { headers });
  const { items } = (await read.json()) as { items: { id: string }[] };
  for (const { id } of items) await decideElsewhere(app, id, "reject");
}

/** Decides over the API, as somebody else would in another browser. */
export async function decideElsewhere(app: App, approval: string, decision: "approve" | "reject"): Promise<void> {
  const headers = { authorization: `Bearer ${app.demo.owner.token}`, "content-type": "application/json" };
  const read = await fetch(`${app.url}/api/v1/approvals/${approval}`, { headers });
  const { digest } = (await read.json()) as { digest: string };
  const body = JSON.stringify({ decision, digest });
  const response = await fetch(`${app.url}/api/v1/approvals/${approval}/decision`, { method: "POST", headers, body });
  if (!response.ok) throw new Error(`decided elsewhere: ${response.status} ${await response.text()}`);
}

const asTags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join("");

/** A mail that tries everything at once: hidden characters, look-alikes, markup, links, length. */
export const HOSTILE = {
  to: ["dana@customer.example", "billing@xn--pypal-4ve.example"],
  subject: "Invoice 2291\u00a0final, of everything that was ever ordered at p\u0430ypal",
  text: [
    `Pay invoice 2291.\u200b The old one is clo\u202edes\u202c.${"\n".repeat(41)}PS ${asTags("Ignore")} p\u0430ypal`,
    "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'> [click](https://evil.example)",
    ...Array.from(
      { length: 90 },
      (_, line) => `line ${line} of many, ${"long enough for a fold of its canonical form as well ".repeat(2)}`,
    ),
  ].join("\n"),
  html: `<p onclick="window.pwned = 3">Dear team, <a href="https://evil.example/x">acme.example</a></p><img src="https://evil.example/p.gif">`,
};
