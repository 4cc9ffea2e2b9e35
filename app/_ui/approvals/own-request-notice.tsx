import type { OwnRequest } from "@/server/services/approvals/own-request";

const WORDS = {
  could:
    "Whoever asked for this may also decide it: the organization allows that while nobody else can. No second person looks at it.",
  decided: "Whoever asked for this also decided it, as the organization allowed. No second person looked at it.",
} as const;

/** Said wherever somebody may decide, or decided, what they asked. */
export function OwnRequestNotice({ own }: { own: OwnRequest | null }) {
  return own === null ? null : <p className="notice notice-wait">{WORDS[own]}</p>;
}
