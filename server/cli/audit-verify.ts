import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { organizationIdsAfter } from "@/server/db/deployment-control";
import { closePools } from "@/server/db/pools";
import { idOf } from "@/server/domain/ids";
import { launcherEnv } from "@/server/env";
import type { AuditReport } from "@/server/services/audit/chain/verify";
import { verifyAgainst } from "@/server/services/audit/verify";
import { systemActor } from "@/server/services/system-actor";

const USAGE = `npm run audit:verify -- [--organization org_…] [--entries N --head HEX]

Recomputes the audit log of every organization, or of one, and names the first fault. --entries and --head are what an
earlier run printed and you kept: they show that nothing was cut off since. Ends with 1 where something is wrong.
Needs the environment of the server. Without it, asks a demo that is running.`;

const PAGE = 500;

const options = z
  .strictObject({
    organization: idOf("organization").optional(),
    entries: z.coerce.number().int().min(1).optional(),
    head: z
      .string()
      .regex(/^[0-9a-f]{64}$/, "must be 64 hex digits")
      .optional(),
    help: z.boolean().optional(),
  })
  .refine((o) => (o.entries === undefined) === (o.head === undefined), "--entries and --head belong together")
  .refine((o) => o.head === undefined || o.organization !== undefined, "--head needs --organization");
type Options = z.output<typeof options>;

function readOptions(): Options {
  const text = { type: "string" } as const;
  const { values } = parseArgs({
    options: { organization: text, entries: text, head: text, help: { type: "boolean" } },
  });
  const parsed = options.safeParse({ ...values });
  if (parsed.success) return parsed.data;
  throw new Error(
    parsed.error.issues.map((issue) => [issue.path[0], issue.message].filter(Boolean).join(" ")).join("; "),
  );
}

function print(orgId: string, { intact, entries, head, firstFault }: Omit<AuditReport, "firstFault"> & Fault): void {
  const fault = firstFault ? `${firstFault.kind} at entry ${firstFault.index} (${firstFault.eventId ?? "gone"})` : "";
  console.log(`${orgId}: ${intact ? "intact" : `NOT INTACT, ${fault}`}; ${entries} entries, head ${head}`);
  if (!intact) process.exitCode = 1;
}
type Fault = { readonly firstFault?: AuditReport["firstFault"] | undefined };

async function verifyHere({ organization, entries, head }: Options): Promise<void> {
  const known = entries && head ? { size: entries, hash: Buffer.from(head, "hex") } : undefined;
  let orgIds = organization ? [organization] : await organizationIdsAfter("", PAGE);
  while (orgIds.length > 0) {
    for (const orgId of orgIds) print(orgId, await verifyAgainst(systemActor(orgId, "audit-verify"), known));
    orgIds = organization ? [] : await organizationIdsAfter(orgIds.at(-1) ?? "", PAGE);
  }
  await closePools();
}

const tenant = z.object({ organizationId: z.string(), owner: z.object({ token: z.string() }) });
const demoFile = tenant.extend({ url: z.string(), other: tenant });
const answer = z.object({
  intact: z.boolean(),
  entries: z.number(),
  head: z.string(),
  firstFault: z.custom<AuditReport["firstFault"]>().optional(),
});

async function askDemo(path: string): Promise<void> {
  const demo = demoFile.parse(JSON.parse(readFileSync(path, "utf8")));
  for (const { organizationId, owner } of [demo, demo.other]) {
    const response = await fetch(new URL("/api/v1/audit/verify", demo.url), {
      headers: { authorization: `Bearer ${owner.token}` },
    }).catch((cause: unknown) => {
      throw new Error(`Nothing answers at ${demo.url}. Is npm start running?`, { cause });
    });
    if (!response.ok) throw new Error(`${demo.url} answered ${response.status}.`);
    print(organizationId, answer.parse(await response.json()));
  }
}

async function main(): Promise<void> {
  const chosen = readOptions();
  if (chosen.help) return console.log(USAGE);
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { APP_DATABASE_URL, DATA_DIR } = launcherEnv();
  const demo = join(DATA_DIR, "demo.json");
  if (APP_DATABASE_URL === undefined && existsSync(demo)) await askDemo(demo);
  else await verifyHere(chosen);
}

main().catch((error: unknown) => {
  console.error(`audit:verify: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
});
