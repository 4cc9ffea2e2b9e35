import type { DemoFile } from "@/prisma/seed";

const PEOPLE = ["owner", "admin", "approver", "agentOwner", "member", "auditor"] as const;

const curlFor = ({ url, agent, connections }: DemoFile): string => {
  const call = {
    action: "email.send",
    connection: connections.mail,
    arguments: { to: ["ada@customer.example"], subject: "Your order", text: "It left our warehouse today." },
  };
  return [
    `curl -sS ${url}/api/v1/tool-requests`,
    `-H 'authorization: Bearer ${agent.key}'`,
    "-H 'content-type: application/json'",
    `-d '${JSON.stringify(call)}'`,
  ].join(" ");
};

/** What the terminal says when a demo is up. */
export function demoGreeting(demo: DemoFile, demoPath: string): string {
  const people = PEOPLE.map((who) => `    ${who.padEnd(11)} ${demo[who].email.padEnd(32)} ${demo[who].password}`);
  return [
    "",
    `  Countersign is at ${demo.url} (a demo, for this machine alone).`,
    "",
    "  Sign in as:",
    ...people,
    "",
    "  Let the agent ask to send a mail, then approve it as the approver:",
    "",
    `  ${curlFor(demo)}`,
    "",
    `  The channel where people approve in the demo's own Slack: ${demo.slackEmulatorUrl}/`,
    `  The mail arrives here after its undo window: ${demo.mailboxUrl}`,
    `  Tokens, keys and ids for scripts: ${demoPath}`,
    "  Ctrl-C stops everything; the next start goes on with the same data.",
    "",
  ].join("\n");
}

/** The same without a demo. `setupUrl` is there until the first owner exists. */
export function greeting(url: string, setupUrl: string | null): string {
  const setup = setupUrl ? ["", "  Create the first owner, once, within a day:", "", `  ${setupUrl}`] : [];
  return ["", `  Countersign is at ${url}.`, ...setup, "", "  Ctrl-C stops everything.", ""].join("\n");
}
