/** What came of an action, ready to be shown: a failure says whether anything ran. */
export type Outcome = { ok: true } | { ok: false; message: string };
