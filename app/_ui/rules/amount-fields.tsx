import type { AmountLimit, RulePart } from "@/server/domain/rule-forms";
import { Check, Labelled } from "./part-inputs";

type Props = { part: Extract<RulePart, { kind: "amount" }>; onChange: (part: RulePart) => void };

/** A limit for each currency. An amount that cannot be read for certain asks whatever the limit is. */
export function AmountFields({ part, onChange }: Props) {
  const { limits } = part;
  const put = (at: number, change: Partial<AmountLimit>) =>
    onChange({ ...part, limits: limits.map((one, index) => (index === at ? { ...one, ...change } : one)) });
  return (
    <>
      {limits.map(({ currency, above }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name while it is typed.
        <div key={at} className="flex flex-wrap items-end gap-2">
          <Labelled label="Above">
            <input
              className="input w-32"
              inputMode="decimal"
              value={above}
              onChange={(event) => put(at, { above: event.currentTarget.value.trim() })}
            />
          </Labelled>
          <Labelled label="Currency">
            <input
              className="input w-24"
              value={currency}
              maxLength={3}
              spellCheck={false}
              onChange={(event) => put(at, { currency: event.currentTarget.value.toUpperCase() })}
            />
          </Labelled>
          {limits.length > 1 ? (
            <button
              type="button"
              className="btn"
              onClick={() => onChange({ ...part, limits: limits.filter((_, index) => index !== at) })}
            >
              Remove {currency === "" ? "this limit" : currency}
            </button>
          ) : null}
        </div>
      ))}
      <button
        type="button"
        className="btn justify-self-start"
        onClick={() => onChange({ ...part, limits: [...limits, { currency: "", above: "" }] })}
      >
        Add a currency
      </button>
      <Check
        label="Any amount in another currency counts as above"
        checked={part.others}
        onChange={() => onChange({ ...part, others: !part.others })}
      />
    </>
  );
}
