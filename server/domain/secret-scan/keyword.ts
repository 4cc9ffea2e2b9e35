import { looksLikeKey, looksLikePassword, looksLikeToken } from "@/server/domain/secret-scan/judge";

export type KeywordClass = "password" | "key" | "token";

/** A word beside which a credential may stand. */
export type Keyword = {
  readonly kind: string;
  readonly class: KeywordClass;
  readonly anchor: string;
  /** Sticky, tried at the anchor; captures the value. Every part is bounded. */
  readonly pattern: RegExp;
};

// After the word: a closing quote or bracket, a sign; then the value, quoted or up to the next space.
const SIGN = "[\"'`\\])*\\\\]{0,3}[ \\t]{0,4}(?<sign>=>|:=|={1,2}|:|->|→|>(?=\\S)| is:?[ \\t])[ \\t]{0,4}";
const VALUE =
  '(?:"(?<double>[^"\\n]{6,200})"|\'(?<single>[^\'\\n]{6,200})\'|\\\\"(?<escaped>[^"\\\\\\n]{6,200})\\\\"|[`*(]{0,2}(?<bare>[^\\s"\'`,;<>&\\\\]{6,200}))';
const NOUNS =
  "api|access|auth|authentication|account|bot|bearer|client|encryption|id|license|master|private|refresh|service|session|shared|signing|storage";

function keyword(kind: string, type: KeywordClass, anchor: string, word: string): Keyword {
  return { kind, class: type, anchor, pattern: new RegExp(word + SIGN + VALUE, "iy") };
}

export const KEYWORDS: readonly Keyword[] = [
  keyword("password", "password", "password", "password"),
  keyword("password", "password", "passwd", "passwd"),
  keyword("password", "password", "passphrase", "passphrase"),
  // Meeting links carry `?pwd=`; they are meant to be sent.
  keyword("password", "password", "pwd", "(?<![?&])pwd"),
  keyword("secret", "key", "secret", "secret(?:[_ -]?(?:access[_ -]?)?(?:key|token|value))?"),
  keyword("API key", "key", "key", `(?<=(?:${NOUNS})[_ -]?)key`),
  keyword("access token", "key", "token", `(?<=(?:${NOUNS})[_ -]?)token`),
  keyword(
    "token",
    "token",
    "token",
    "(?<![A-Za-z0-9_?&-])(?<!(?:page|next|continuation|cursor|sync|resume|upload|csrf|xsrf) )token",
  ),
  {
    kind: "password",
    class: "password",
    anchor: "password",
    // `.netrc` writes no sign between word and value.
    pattern: /(?<=login[ \t]\S{1,100}[ \t\n]{1,4})password[ \t](?<bare>\S{6,200})/iy,
  },
  {
    kind: "authorization header",
    class: "key",
    anchor: "authorization",
    pattern:
      /authorization["']{0,2}[ \t]{0,4}[:=][ \t]{0,4}["']?(?:Bearer|Basic|Token|Bot|ApiKey)[ \t]{1,4}(?<bare>[^\s"',;]{12,400})/iy,
  },
  {
    kind: "bearer token",
    class: "key",
    anchor: "bearer",
    pattern: /(?<![A-Za-z0-9_-])bearer[ \t](?<bare>[A-Za-z0-9._~+/=-]{20,400})/iy,
  },
];

/** A value beside a keyword. `isSure`: quotes or an equals sign say that it is one and not the next word of prose. */
export type Value = { readonly text: string; readonly isSure: boolean };

/** What stands beside the keyword that begins at `at`, or null. */
export function valueAt(text: string, at: number, { pattern }: Keyword): Value | null {
  pattern.lastIndex = at;
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return null;
  const quoted = groups.double ?? groups.single ?? groups.escaped;
  if (quoted !== undefined) return { text: quoted, isSure: true };
  return { text: (groups.bare ?? "").replace(/(?:[.,:!?)\]}]{1,5}|\*{1,2})$/, ""), isSure: groups.sign === "=" };
}

/** Whether a value beside a keyword of that class is a credential. */
export function isCredential({ text, isSure }: Value, type: KeywordClass): boolean {
  switch (type) {
    case "password":
      return looksLikePassword(text, isSure);
    case "key":
      return looksLikeKey(text);
    case "token":
      return looksLikeToken(text);
  }
}

const FIELDS: readonly (readonly [kind: string, type: KeywordClass, name: RegExp])[] = [
  ["password", "password", /(?:pass(?:word|wd|phrase)|pwd)$/i],
  ["secret", "key", /secret(?:[_-]?(?:access[_-]?)?(?:key|token|value))?$/i],
  ["API key", "key", new RegExp(`(?:${NOUNS})[_-]?(?:key|token)$`, "i")],
  ["token", "token", /^(?:x-)?token$/i],
];
const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
const SCHEME = /^(?:Bearer|Basic|Token|Bot|ApiKey)\s+(?=\S{8})/i;
const COOKIE = /^(?:set-)?cookie$/i;
const MAX_NAME = 100;
const MAX_VALUE = 4_096;

/** What a field of that name holds, if it holds a credential: here the name says what the value is. */
export function kindOfField(name: string, value: string): string | null {
  if (name.length > MAX_NAME || value.length > MAX_VALUE) return null;
  if (AUTHORIZATION.test(name)) return SCHEME.test(value) || looksLikeKey(value) ? "authorization header" : null;
  if (COOKIE.test(name)) return value.split(/[;=]/).some((part) => looksLikeToken(part.trim())) ? "cookie" : null;
  return (
    FIELDS.find(([, type, form]) => form.test(name) && isCredential({ text: value, isSure: true }, type))?.[0] ?? null
  );
}
