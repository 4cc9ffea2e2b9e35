import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const KEPT = 500;

const mailSchema = z.strictObject({
  to: z.array(z.string()),
  subject: z.string(),
  text: z.string(),
  headers: z.record(z.string(), z.string()),
  receivedAt: z.iso.datetime(),
});

export type Mail = z.infer<typeof mailSchema>;

/** Whether Countersign itself mailed somebody, rather than an agent. */
export const isNotice = ({ headers }: Mail): boolean => headers["auto-submitted"] === "auto-generated";

export type MailStore = { add(mail: Mail): void; list(): readonly Mail[] };

/** The demo's mailbox: one file a mail, so that it outlives a restart; the newest 500 stay. */
export function openMailStore(directory: string): MailStore {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = () =>
    readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .sort()
      .reverse();
  return {
    add: (mail) => {
      const name = `${mail.receivedAt.replaceAll(/[^0-9]/g, "")}-${randomUUID()}`;
      const half = join(directory, `${name}.new`);
      writeFileSync(half, JSON.stringify(mail), { mode: 0o600 });
      renameSync(half, join(directory, `${name}.json`));
      for (const old of names().slice(KEPT)) rmSync(join(directory, old), { force: true });
    },
    list: () => names().map((name) => mailSchema.parse(JSON.parse(readFileSync(join(directory, name), "utf8")))),
  };
}
