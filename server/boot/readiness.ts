import { errorFields, log } from "@/server/log";

const CHECK_MS = 3_000;

/** Resolves to what is missing, or null. Throwing means missing too. */
export type ReadinessCheck = {
  readonly name: string;
  readonly missing: () => Promise<string | null>;
  /** Its absence is said and keeps nobody away. */
  readonly isOptional?: true;
};

const said = async (checks: readonly ReadinessCheck[]) =>
  (await Promise.all(checks.map(outcome))).filter((text) => text !== null);

async function outcome({ name, missing }: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`${name}: no answer`), CHECK_MS);
  });
  try {
    return await Promise.race([missing(), tooLate]);
  } catch (error) {
    log.warn({ check: name, ...errorFields(error) }, "a readiness check failed");
    return `${name}: not reachable`;
  } finally {
    clearTimeout(timer);
  }
}

/** `/readyz`: 200 when every check that is not optional passes, otherwise 503 with what is missing. */
export function readyHandler(checks: readonly ReadinessCheck[]): () => Promise<Response> {
  return async () => {
    const [missing, impaired] = await Promise.all([
      said(checks.filter(({ isOptional }) => !isOptional)),
      said(checks.filter(({ isOptional }) => isOptional)),
    ]);
    const isReady = missing.length === 0;
    const more = impaired.length === 0 ? {} : { impaired };
    const body = isReady ? { status: "ready", ...more } : { status: "not ready", missing, ...more };
    return Response.json(body, { status: isReady ? 200 : 503, headers: { "cache-control": "no-store" } });
  };
}

/** `/healthz`: the process answers. */
export const healthHandler = async (): Promise<Response> =>
  Response.json({ status: "alive" }, { headers: { "cache-control": "no-store" } });
