/** A time of the reader's clock as an instant; what cannot be read is left to the server to refuse, with its field. */
const instant = (local = ""): string => {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? local : time.toISOString();
};

/** What the form of an absence sends. An empty start is left out: from now on. */
type Typed = { from: string | undefined; until: string | undefined; delegate: string | undefined };

export function absenceFields({ from, until, delegate }: Typed) {
  return { ...(from === undefined ? {} : { from: instant(from) }), until: instant(until), delegate };
}
