/** Where in a text the server found the fault; line and column count from 1. */
export type Place = { line: number; column: number };

/** What came of an action, ready to be shown. A failure says what happened and, where one is at fault, in which field. */
export type Outcome<T = unknown> =
  | { ok: true; value: T }
  | { ok: false; message: string; code: string; field?: string; place?: Place };
