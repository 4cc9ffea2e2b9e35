import { SafeText } from "@/app/_ui/safe-text";
import type { Standing, StandingCode } from "@/server/domain/standing";

const STOPPED: ReadonlySet<StandingCode> = new Set(["refused", "rejected", "failed", "marked_not_done", "expired"]);
const WAITS: ReadonlySet<StandingCode> = new Set(["waiting", "asked_again", "held", "blocked", "unknown"]);

const toneOf = (code: StandingCode) =>
  STOPPED.has(code) ? "notice notice-stop" : WAITS.has(code) ? "notice notice-wait" : "notice notice-info";

/** Where a request stands, by whom and why. */
export function StandingNotice({ standing: { code, text, by, why } }: { standing: Standing }) {
  return (
    <div className={toneOf(code)}>
      <strong className="block">{text}</strong>
      {by.length > 0 ? (
        <p>
          By <SafeText text={by.map(({ name }) => name).join(" and ")} oneLine />
        </p>
      ) : null}
      {why === null ? null : <SafeText text={why} />}
    </div>
  );
}
