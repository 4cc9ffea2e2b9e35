import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;

/** What a module brings along at run time; imports of types alone leave nothing behind. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  return [...source.matchAll(IMPORT)]
    .filter(([statement]) => !/\{\s*(?:type\s+\w+(?:\s+as\s+\w+)?\s*,?\s*)+\}/.test(statement))
    .map((match) => match[1] ?? "");
}

function resolve(from: string, specifier: string): string | undefined {
  const base = specifier.startsWith("@/") ? specifier.slice(2) : join(dirname(from), specifier);
  return [`${base}.ts`, `${base}.tsx`].find((path) => existsSync(path));
}

/** A module of ours as its file, a package as its name. */
const targetOf = (file: string, specifier: string) => (isOurs(specifier) ? resolve(file, specifier) : specifier);
const isOurs = (specifier: string) => /^(@\/|\.)/.test(specifier);

/** Every module and package that reaches the browser with a client component, and by which way. */
function reached(entry: string): Map<string, string> {
  const found = new Map<string, string>([[entry, entry]]);
  for (const [file, way] of found) {
    if (!existsSync(file)) continue;
    const targets = importsOf(file).flatMap((specifier) => targetOf(file, specifier) ?? []);
    // A map hands out what is added while it is walked.
    for (const target of targets) if (!found.has(target)) found.set(target, `${way} > ${target}`);
  }
  return found;
}

const sources = readdirSync("app", { recursive: true, encoding: "utf8" }).map((path) => join("app", path));
const clients = sources.filter((path) => /\.tsx?$/.test(path) && readFileSync(path, "utf8").startsWith('"use client"'));

it("there are client components", () => {
  expect(clients.length).toBeGreaterThan(20);
});

const SERVER_ONLY = /^(zod|node:|server\/|server-only|next\/headers)/;
const SHARED = /^server\/domain\/(visible\/|(rule-forms|categories|local-time|json)\.ts$)/;

it.each(clients)("%s brings no server module, no Node module and no schema library into the browser", (file) => {
  // zod tries `new Function`, which the pages' policy blocks and reports. Shared are how text is made visible, with Slack's
  // card, and how a form writes a rule, with the service that reads it back: neither brings anything along.
  const wrong = [...reached(file)].filter(([name]) => SERVER_ONLY.test(name) && !SHARED.test(name));
  expect(wrong.map(([, way]) => way)).toEqual([]);
});
