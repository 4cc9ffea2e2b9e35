import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const FORBIDDEN: readonly [file: string, imported: string][] = [
  ["server/domain/planted.ts", "@/server/db/with-org"],
  ["server/domain/planted.ts", "@/server/env"],
  ["server/domain/planted.ts", "@/server/gateway/pipeline"],
  ["server/domain/planted.ts", "node:fs"],
  ["server/domain/planted.ts", "node:crypto"],
  ["server/domain/planted.ts", "pg"],
  ["server/domain/planted.ts", "../db/with-org"],
  ["server/domain/planted.ts", "./../db/with-org"],
  ["server/gateway/checks/planted.ts", "@/server/db/with-org"],
  ["server/gateway/checks/planted.ts", "@/server/services/command"],
  ["server/gateway/checks/planted.ts", "pg"],
  ["server/vault/planted.ts", "@/server/services/command"],
  ["server/vault/planted.ts", "@/server/connectors/http/client"],
  ["server/db/planted.ts", "@/server/services/command"],
  ["server/db/planted.ts", "@/server/vault/seal"],
  ["server/connectors/smtp/planted.ts", "@/server/db/with-org"],
  ["server/connectors/smtp/planted.ts", "@/server/services/command"],
  ["server/connectors/smtp/planted.ts", "@/server/env"],
  ["server/services/agents/planted.ts", "@/server/trpc/root"],
  ["server/services/agents/planted.ts", "@/server/http/v1"],
  ["server/services/agents/planted.ts", "@/app/layout"],
  ["server/services/agents/planted.ts", "@/slack/app"],
  ["server/services/agents/planted.ts", "@/inngest/functions/run"],
  ["server/services/agents/planted.ts", "@/sandbox/container"],
  ["server/services/agents/planted.ts", "@/server/db/client"],
  ["server/services/agents/planted.ts", "next/headers"],
  ["server/trpc/planted.ts", "@/server/db/with-org"],
  ["server/trpc/planted.ts", "@/server/vault/seal"],
  ["server/http/planted.ts", "@/server/db/with-org"],
  ["server/http/planted.ts", "@/server/gateway/pipeline"],
  ["inngest/client.ts", "@/server/services/command"],
  ["inngest/wake.ts", "@/inngest/functions/run"],
  ["inngest/functions/planted.ts", "@/server/db/with-org"],
  ["inngest/functions/planted.ts", "@/server/trpc/root"],
  ["inngest/local/planted.ts", "@/server/services/command"],
  ["inngest/local/planted.ts", "@/inngest/functions/run"],
  ["inngest/functions/planted.ts", "@/slack/app"],
  ["slack/actions/planted.ts", "@/server/db/with-org"],
  ["slack/card/planted.ts", "@/server/services/slack/cards"],
  ["slack/card/planted.ts", "@slack/web-api"],
  ["app/planted.tsx", "@/server/db/with-org"],
  ["app/planted.tsx", "@/server/vault/seal"],
  ["app/planted.tsx", "@/server/connectors/smtp/client"],
  ["app/planted.tsx", "../server/db/with-org"],
  ["sandbox/planted.ts", "@/server/domain/ids"],
];

const ALLOWED: readonly [file: string, imported: string][] = [
  ["server/domain/planted.ts", "zod"],
  ["server/domain/planted.ts", "canonicalize"],
  ["server/domain/planted.ts", "./ids"],
  ["server/domain/planted.ts", "@/server/domain/ids"],
  ["server/gateway/checks/planted.ts", "@/server/domain/verdict"],
  ["server/gateway/checks/planted.ts", "@/server/gateway/check"],
  ["server/vault/planted.ts", "@/server/env"],
  ["server/db/planted.ts", "pg"],
  ["server/connectors/smtp/planted.ts", "@/server/vault/seal"],
  ["server/services/agents/planted.ts", "@/server/db/with-org"],
  ["server/services/agents/planted.ts", "@/inngest/wake"],
  ["server/services/agents/planted.ts", "@/sandbox/contract"],
  ["server/trpc/planted.ts", "@/server/services/command"],
  ["server/http/planted.ts", "@/server/trpc/root"],
  ["inngest/functions/planted.ts", "@/slack/deliver"],
  ["inngest/local/planted.ts", "@/server/db/system"],
  ["slack/actions/planted.ts", "@/server/services/command"],
  ["app/planted.tsx", "@/inngest/functions/run"],
  ["sandbox/planted.ts", "@/sandbox/contract"],
  ["server/cli/planted.ts", "@/server/db/with-org"],
];

const PLANTED_SOURCE: readonly [file: string, source: string, rule: string][] = [
  ["server/services/env-read.ts", "export const x = process.env.HOME;\n", "lint/style/noProcessEnv"],
  [
    "app/html.tsx",
    "export const X = () => <p dangerouslySetInnerHTML={{ __html: '' }} />;\n",
    "noDangerouslySetInnerHtml",
  ],
  ["server/services/loud.ts", "console.log(1);\n", "lint/suspicious/noConsole"],
  ["server/services/loose.ts", "export const f = (x: any) => x;\n", "lint/suspicious/noExplicitAny"],
];

const root = mkdtempSync(join(tmpdir(), "directions-"));
const faults = new Map<string, string[]>();

const pathOf = (folder: string, [file]: readonly [string, string], index: number) =>
  file.includes("planted") ? `${file.replace("planted", `${folder}-${index}`)}` : file;

function plant(path: string, source: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), source);
}

function lint() {
  const config = JSON.parse(readFileSync("biome.json", "utf8"));
  delete config.$schema;
  config.vcs.enabled = false;
  writeFileSync(join(root, "biome.json"), JSON.stringify(config));
  const biome = join(process.cwd(), "node_modules/.bin/biome");
  const args = ["lint", "--reporter=json", "--max-diagnostics=none", "--colors=off"];
  let report: string;
  try {
    report = execFileSync(biome, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    report = String((error as { stdout?: unknown }).stdout);
  }
  for (const { category, severity, location } of JSON.parse(report).diagnostics) {
    if (severity !== "error") continue;
    const path = String(location?.path?.file ?? location?.path);
    faults.set(path, [...(faults.get(path) ?? []), String(category)]);
  }
}

beforeAll(() => {
  for (const [index, entry] of FORBIDDEN.entries()) {
    plant(pathOf("bad", entry, index), `import { x } from "${entry[1]}";\nx();\n`);
  }
  for (const [index, entry] of ALLOWED.entries()) {
    plant(pathOf("good", entry, index), `import { x } from "${entry[1]}";\nx();\n`);
  }
  for (const [file, source] of PLANTED_SOURCE) plant(file, source);
  lint();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

const RESTRICTED = "lint/style/noRestrictedImports";

describe("import directions", () => {
  it.each(FORBIDDEN.map((entry, index) => ({ file: entry[0], imported: entry[1], path: pathOf("bad", entry, index) })))(
    "$file may not import $imported",
    ({ path }) => expect(faults.get(path)).toContain(RESTRICTED),
  );

  it.each(ALLOWED.map((entry, index) => ({ file: entry[0], imported: entry[1], path: pathOf("good", entry, index) })))(
    "$file may import $imported",
    ({ path }) => expect(faults.get(path) ?? []).not.toContain(RESTRICTED),
  );

  it.each(PLANTED_SOURCE.map(([file, , rule]) => ({ file, rule })))("$rule is an error", ({ file, rule }) =>
    expect(faults.get(file)?.join(" ")).toContain(rule),
  );
});
