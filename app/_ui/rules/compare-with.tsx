type Props = { version: number; against: number; newest: number };

/** Chooses the version to compare with. A plain form: the choice stands in the address. */
export function CompareWith({ version, against, newest }: Props) {
  return (
    <form className="flex flex-wrap items-end gap-2" action={`/rules/versions/${version}`}>
      <label className="grid gap-1">
        <span className="font-semibold">Compare with version</span>
        <input
          className="input w-28"
          type="number"
          name="against"
          min={0}
          max={newest}
          required
          defaultValue={against}
        />
      </label>
      <button type="submit" className="btn">
        Compare
      </button>
    </form>
  );
}
