import { z } from "zod";
import { startEcho } from "./echo";
import { listenLocally } from "./local-server";
import { isNotice, openMailStore } from "./mail-store";
import { startSlack } from "./slack";
import { startSmtp } from "./smtp";

/** The demo's surroundings: an echo service, an SMTP server and its mailbox, and a Slack. One process, started by `npm start`. */
const port = z.number().int().min(1).max(65_535);
const optionsSchema = z.strictObject({
  echoPort: port,
  mailboxPort: port,
  smtpPort: port,
  user: z.string(),
  password: z.string(),
  key: z.string(),
  cert: z.string(),
  mailDirectory: z.string(),
  slack: z.strictObject({ port, signingSecret: z.string(), team: z.string(), appUrl: z.string() }),
});
export type DemoOptions = z.infer<typeof optionsSchema>;

async function serve(options: DemoOptions): Promise<void> {
  const store = openMailStore(options.mailDirectory);
  await startEcho(options.echoPort);
  const { key, cert, user, password } = options;
  await startSmtp({ port: options.smtpPort, user, password, tls: { key, cert }, store });
  await startSlack(options.slack);
  await listenLocally(options.mailboxPort, (incoming, outgoing) => {
    // What agents had sent, and apart from it what Countersign told people.
    const wantsNotices = incoming.url === "/notices";
    const items = store.list().filter((mail) => isNotice(mail) === wantsNotices);
    outgoing.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
    outgoing.end(JSON.stringify({ items }));
  });
}

function explain(error: NodeJS.ErrnoException & { port?: number }): string {
  if (error.code === "EADDRINUSE")
    return `Port ${error.port} of the demo is taken; stop what uses it or remove DATA_DIR to start over.`;
  return `The demo's services could not start (${error.code ?? error.name}).`;
}

process.once("disconnect", () => process.exit(0));
process.once("SIGTERM", () => process.exit(0));
process.once("message", (message) => {
  serve(optionsSchema.parse(message)).then(
    () => process.send?.("ready"),
    (error: NodeJS.ErrnoException) => {
      process.stderr.write(`countersign: ${explain(error)}\n`);
      process.exit(1);
    },
  );
});
