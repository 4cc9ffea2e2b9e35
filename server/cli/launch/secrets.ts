import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { LaunchError } from "@/server/cli/launch-error";
import { readPrivate, writePrivate } from "./data-directory";

const text = z.string().min(8).max(500);

const secretsSchema = z.strictObject({
  /** Names the folder outside the project, should the database need one. */
  place: z.string().regex(/^[a-z0-9-]{8,40}$/),
  superuserPassword: text,
  ownerPassword: text,
  appPassword: text,
  systemPassword: text,
  kek: text,
  sessionSecret: text,
  inngestEventKey: text,
  inngestSigningKey: text,
  mailPassword: text,
  /** Data directories of before Slack have none; it is made when it is needed. */
  slackSigningSecret: text.optional(),
  /** The workspace that the demo's own Slack is: another one for each attempt to fill the demo. */
  slackTeam: z
    .string()
    .regex(/^T_[A-Z0-9]{1,20}$/)
    .optional(),
  /** What this data directory is for: a demo's known passwords must never end up on a network. */
  mode: z.enum(["demo", "real"]).optional(),
  /** Ports that stored connections and grants name, so they stay. */
  echoPort: z.number().int().optional(),
  mailboxPort: z.number().int().optional(),
  smtpPort: z.number().int().optional(),
  slackPort: z.number().int().optional(),
  /** Set when the demo's people and agent are complete in the database. */
  isSeeded: z.boolean().default(false),
});

export type Secrets = z.infer<typeof secretsSchema>;

const word = () => randomBytes(24).toString("base64url");

const make = (): Secrets => ({
  place: randomBytes(8).toString("hex"),
  superuserPassword: word(),
  ownerPassword: word(),
  appPassword: word(),
  systemPassword: word(),
  kek: randomBytes(32).toString("base64"),
  sessionSecret: randomBytes(48).toString("base64url"),
  inngestEventKey: word(),
  inngestSigningKey: `signkey-local-${randomBytes(32).toString("hex")}`,
  mailPassword: word(),
  isSeeded: false,
});

export type SecretStore = { readonly value: Secrets; change(part: Partial<Secrets>): void };

/** What one machine generates for itself, in `secrets.json`, readable by its user alone. Throws LaunchError. */
export function openSecrets(directory: string): SecretStore {
  const path = join(directory, "secrets.json");
  const stored = readPrivate(path);
  let value: Secrets;
  try {
    value = stored === undefined ? make() : secretsSchema.parse(JSON.parse(stored));
  } catch (cause) {
    throw new LaunchError(`${path} is damaged; put it back from a copy, or remove ${directory} to start over.`, {
      cause,
    });
  }
  const save = () => writePrivate(path, `${JSON.stringify(value, null, 2)}\n`);
  if (stored === undefined) save();
  return {
    get value() {
      return value;
    },
    change: (part) => {
      value = { ...value, ...part };
      save();
    },
  };
}
