import { isStandIn } from "@/server/domain/secret-scan/format";

// Its comment filter lets text switch the scan off; its cloud rule reads files. Neither belongs here.
const LEFT_OUT = ["@secretlint/secretlint-rule-filter-comments", "@secretlint/secretlint-rule-gcp"];
const KIND_OF_RULE = /^@secretlint\/secretlint-rule-(.+)$/;

export type Finding = { readonly textIndex: number; readonly kind: string };

let loading: ReturnType<typeof load> | undefined;

/** Runs secretlint's recommended rules over all texts at once. Throws when it cannot, so that the caller denies. */
export async function secondOpinion(texts: readonly string[]): Promise<Finding[]> {
  loading ??= load();
  const { lintSource, rules } = await loading;
  const { content, starts } = joined(texts);
  const { messages } = await lintSource({
    source: { filePath: "arguments.txt", content, contentType: "text" },
    options: { noPhysicFilePath: true, config: { rules } },
  });
  // A message quotes the secret: only its rule and its place leave this function.
  const found = messages.filter(({ range }) => !isMasked(content.slice(...range)));
  return found.map(({ ruleId, range }) => ({
    textIndex: starts.findLastIndex((start) => start <= range[0]),
    kind: `${KIND_OF_RULE.exec(ruleId)?.[1] ?? "other"} credential`,
  }));
}

/** Loaded when first needed: the rules are large, and most processes never meet a suspicious text. */
async function load() {
  const [{ lintSource }, preset] = await Promise.all([
    import("@secretlint/core"),
    import("@secretlint/secretlint-rule-preset-recommend"),
  ]);
  const rules = preset.rules
    .filter(({ meta }) => !LEFT_OUT.includes(meta.id))
    .map((rule) => ({ id: rule.meta.id, rule, options: {} }));
  return { lintSource, rules };
}

function joined(texts: readonly string[]): { content: string; starts: number[] } {
  const starts: number[] = [];
  let length = 0;
  for (const text of texts) {
    starts.push(length);
    length += text.length + 2;
  }
  return { content: texts.join("\n\n"), starts };
}

// `postgres://app:<password>@db` and `ghp_xxxx…` say what would stand there.
const MASKED_PASSWORD = /:(?:<[^<>]{1,80}>|\[[^[\]]{1,80}\]|[xX]+)@/;

function isMasked(found: string): boolean {
  return isStandIn(found) || MASKED_PASSWORD.test(found);
}
