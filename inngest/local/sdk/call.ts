import { AsyncLocalStorage } from "node:async_hooks";
import { LIMITS } from "@/inngest/local/limits";
import { signature } from "@/inngest/local/sdk/sign";

/** Carries a request to the `serve()` handler: in this process, the handler itself. */
export type Transport = (request: Request) => Promise<Response>;

export type SdkRequest = {
  readonly method: "PUT" | "POST";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** What the SDK answered. `refused` names a feature that was asked for through the API meanwhile and is not here. */
export type SdkAnswer = {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: unknown;
  readonly refused: string | undefined;
};

export type CallSdk = (request: SdkRequest) => Promise<SdkAnswer>;

const inCall = new AsyncLocalStorage<{ refused: string | undefined }>();

/** Notes that the code which runs now asked for a feature that the engine lacks, so that its run fails and says so. */
export function noteRefusal(feature: string): void {
  const call = inCall.getStore();
  if (call) call.refused ??= feature;
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { message: "the answer is not JSON" };
  }
}

async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("the step took longer than two hours")), ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const replaceLone = (_key: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);

/** Without lone surrogates, which have no canonical form to sign. Inngest replaces them too. */
function wellFormed(body: unknown): { body: unknown; text: string } {
  const text = JSON.stringify(body);
  if (!/\\ud[89a-f]/.test(text)) return { body, text };
  const replaced: unknown = JSON.parse(text, replaceLone);
  return { body: replaced, text: JSON.stringify(replaced) };
}

function requestOf(request: SdkRequest, serveUrl: string, signingKey: string): Request {
  const { body, text } = wellFormed(request.body);
  const url = new URL(serveUrl);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return new Request(url, {
    method: request.method,
    body: text,
    headers: {
      ...request.headers,
      host: url.host, // the adapter builds a URL from it and fails without
      "content-type": "application/json",
      "x-inngest-server-kind": "cloud",
      "x-inngest-signature": signature(body, signingKey, Math.floor(Date.now() / 1_000)),
    },
  });
}

/** Calls the `serve()` handler as Inngest would, signed. Rejects when no answer comes within two hours. */
export function sdkCaller(options: { transport: Transport; serveUrl: string; signingKey: string }): CallSdk {
  return async (request) => {
    const call: { refused: string | undefined } = { refused: undefined };
    const response = await inCall.run(call, () =>
      withDeadline(options.transport(requestOf(request, options.serveUrl, options.signingKey)), LIMITS.stepMs),
    );
    const text = await response.text();
    return {
      status: response.status,
      header: (name) => response.headers.get(name),
      body: parseBody(text),
      refused: call.refused,
    };
  };
}
