import { Inngest } from "inngest";
import { serve } from "inngest/edge";

/** The keys of every test environment. */
export const TEST_KEYS = {
  eventKey: "test-event-key",
  signingKey: "signkey-test-0123456789abcdef0123456789abcdef",
} as const;

const silent = () => {};
const logger = { info: silent, warn: silent, error: silent, debug: silent };

/** An ordinary Inngest client that knows nothing of the engine but its `fetch`. */
export const testClient = (id: string, engineFetch?: typeof fetch) =>
  new Inngest({
    id,
    isDev: false,
    aiMetadata: false,
    logger,
    ...TEST_KEYS,
    ...(engineFetch ? { fetch: engineFetch } : {}),
  });

/** What the conformance functions are made with. */
export type Kit = {
  readonly client: ReturnType<typeof testClient>;
  readonly log: (entry: string) => void;
  /** A number of hours as Inngest writes durations. */
  readonly hours: (count: number) => string;
};

/** Makes functions with a client. */
export type Make = (client: ReturnType<typeof testClient>) => Parameters<typeof serve>[0]["functions"];

/** An app of the functions that `make` makes. */
export function appOf(engineFetch: typeof fetch, make: Make) {
  const client = testClient("app", engineFetch);
  return { client, handler: serve({ client, functions: make(client) }) };
}
