import { AnchorIndex } from "@/server/domain/secret-scan/anchor-index";
import { isStandIn, type SecretFormat } from "@/server/domain/secret-scan/format";
import { INFRASTRUCTURE_FORMATS } from "@/server/domain/secret-scan/formats-infrastructure";
import { SERVICE_FORMATS } from "@/server/domain/secret-scan/formats-services";
import { holdsAwsSecret } from "@/server/domain/secret-scan/judge";
import { isCredential, KEYWORDS, type Keyword, valueAt } from "@/server/domain/secret-scan/keyword";
import { SUSPICIONS, type Suspicion } from "@/server/domain/secret-scan/suspicion";

/** What one text holds. `isSuspicious`: nothing found, but worth a second opinion. */
export type Detection = { readonly kind: string | null; readonly isSuspicious: boolean };

type State = { searchedTo: number; keywordValues: number; isSuspicious: boolean };
/** Answers with the kind of what is there, or null. */
type Probe = (text: string, at: number, state: State) => string | null;

const AWS_KIND = "AWS secret access key";
const AWS_BEFORE = 80;
const AWS_AFTER = 200;
const AWS_LENGTH = 40;

/** Values judged beside keywords in one text. One with more is no ordinary text: it counts as found. */
const MAX_KEYWORD_VALUES = 20_000;
const TOO_MANY = "too many credential-like entries to check";

const FORMATS = [...INFRASTRUCTURE_FORMATS, ...SERVICE_FORMATS];
const INDEX = new AnchorIndex<Probe>([
  ...FORMATS.map((format) => [format.anchor.toLowerCase(), probeFormat(format)] as const),
  ...KEYWORDS.map((keyword) => [keyword.anchor, probeKeyword(keyword)] as const),
  ...["aws", "secret"].map((anchor) => [anchor, probeAws] as const),
  ...SUSPICIONS.map((suspicion) => [suspicion.anchor, probeSuspicion(suspicion)] as const),
]);

/** Looks for credentials in one plain text, in time linear in its length. Stops at the first. */
export function detect(text: string): Detection {
  const state: State = { searchedTo: 0, keywordValues: 0, isSuspicious: false };
  let kind: string | null = null;
  INDEX.visit(text, (at, probe) => {
    kind = probe(text, at, state);
    return kind === null;
  });
  return { kind, isSuspicious: state.isSuspicious };
}

function probeFormat({ kind, pattern, bodyAt, verify }: SecretFormat): Probe {
  return (text, at) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match === undefined) return null;
    const isStandingIn = bodyAt !== undefined && isStandIn(match.slice(bodyAt));
    return isStandingIn && verify?.(match) !== true ? null : kind;
  };
}

function probeKeyword(keyword: Keyword): Probe {
  return (text, at, state) => {
    const value = valueAt(text, at, keyword);
    if (value === null) return null;
    state.keywordValues += 1;
    if (state.keywordValues > MAX_KEYWORD_VALUES) return TOO_MANY;
    return isCredential(value, keyword.class) ? keyword.kind : null;
  };
}

function probeAws(text: string, at: number, state: State): string | null {
  const from = Math.max(at - AWS_BEFORE, state.searchedTo - AWS_LENGTH, 0);
  const to = at + AWS_AFTER;
  // Stretches overlap by one key and no more, so that many keywords in a row are not searched many times.
  if (to - state.searchedTo < AWS_LENGTH) return null;
  state.searchedTo = to;
  return holdsAwsSecret(text.slice(from, to)) ? AWS_KIND : null;
}

function probeSuspicion({ condition }: Suspicion): Probe {
  return (text, at, state) => {
    condition.lastIndex = at;
    state.isSuspicious ||= condition.test(text);
    return null;
  };
}
