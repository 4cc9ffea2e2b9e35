export type RunView = {
  readonly status: "running" | "completed" | "failed" | "cancelled";
  /** What the function returned, or the error with which it failed. */
  readonly output: unknown;
};

/**
 * What a scenario needs of an engine. Time is counted in hours of the scenario, which a driver may shorten; scenarios
 * look at effects, statuses and outputs, and never at how many requests it took.
 */
export type Driver = {
  readonly trace: string[];
  /** Sends an event and answers the id under which it was received. */
  send(name: string, data?: Record<string, unknown>, options?: { id?: string; ts?: number }): Promise<string>;
  /** Until nothing more happens without time passing. */
  settle(): Promise<void>;
  pass(hours: number): Promise<void>;
  /** The time of the scenario, `hours` from now, in epoch ms. */
  inHours(hours: number): number;
  runsOf(eventId: string): Promise<RunView[]>;
};

/** The only run that an event started. */
export async function runOf(driver: Driver, eventId: string): Promise<RunView> {
  const [run, ...others] = await driver.runsOf(eventId);
  if (!run || others.length > 0) throw new Error(`the event started ${run ? others.length + 1 : 0} runs`);
  return run;
}

export type Scenario = readonly [guarantee: string, play: (driver: Driver) => Promise<void>];

export async function statusAndOutput(driver: Driver, eventId: string): Promise<readonly [string, unknown]> {
  const { status, output } = await runOf(driver, eventId);
  return [status, output];
}
