import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { AppError } from "@/server/domain/errors";
import { clientAddress, stampAddress } from "@/server/http/client-address";
import { answer, type FetchHandler } from "@/server/http/node-adapter";
import { announcesMoreThan, shedBody } from "@/server/http/read-body";
import { CALL_POLICY, securityHeaders } from "@/server/http/security-headers";

const BODY_LIMIT = 1_048_576;

/** A handler of ours for every path that starts with `prefix`. */
export type Mount = { readonly prefix: string; readonly handler: FetchHandler; readonly bodyLimit?: number };

export type FrontOptions = {
  readonly publicUrl: string;
  /** Demo mode: only calls by a loopback name are answered, so that no web site can reach us by a name of its own. */
  readonly isLoopbackOnly: boolean;
  readonly trusted: BlockList;
  readonly mounts: readonly Mount[];
  readonly pages: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
  readonly closing: AbortSignal;
  readonly onFailure: (error: unknown) => Response;
};

const pathOf = (incoming: IncomingMessage) => (incoming.url ?? "").split("?", 1)[0] ?? "";

const isUnder = (path: string, prefix: string) => path === prefix || path.startsWith(`${prefix}/`);

function isLocalName(incoming: IncomingMessage, publicUrl: string): boolean {
  const host = (incoming.headers.host ?? "").replace(/:[0-9]+$/, "").toLowerCase();
  return ["localhost", "127.0.0.1", "[::1]", new URL(publicUrl).hostname].includes(host);
}

function stamp(incoming: IncomingMessage, trusted: BlockList): void {
  const forwarded = incoming.headers["x-forwarded-for"];
  const address = clientAddress({
    peer: incoming.socket.remoteAddress ?? "",
    forwardedFor: Array.isArray(forwarded) ? forwarded.join(",") : forwarded,
    trusted,
  });
  stampAddress(incoming.headers, address);
}

/** The listener of the one server in front: calls go straight to their handlers, the rest to the pages. */
export function frontListener(options: FrontOptions): RequestListener {
  const { publicUrl, mounts, closing, onFailure } = options;
  const origin = new URL(publicUrl).origin;
  const always = Object.entries(securityHeaders(publicUrl));
  const refusal = (error: AppError): Mount => ({ prefix: "", handler: () => Promise.reject(error) });

  const mountFor = (incoming: IncomingMessage): Mount | undefined => {
    if (options.isLoopbackOnly && !isLocalName(incoming, publicUrl)) {
      return refusal(
        new AppError("invalid", "This demo answers to local names only.", { reason: "malformed_request" }),
      );
    }
    const path = pathOf(incoming);
    if (!/^\/(?!\/)/.test(path)) {
      return refusal(new AppError("invalid", "The path is malformed.", { reason: "malformed_request" }));
    }
    const mount = mounts.find(({ prefix }) => isUnder(path, prefix));
    if (mount || !announcesMoreThan(incoming, BODY_LIMIT)) return mount;
    return refusal(
      new AppError("too_large", `The body is larger than ${BODY_LIMIT} bytes.`, { reason: "body_too_large" }),
    );
  };

  return (incoming, outgoing) => {
    for (const [name, value] of always) outgoing.setHeader(name, value);
    stamp(incoming, options.trusted);
    const mount = mountFor(incoming);
    if (mount) {
      outgoing.setHeader("content-security-policy", CALL_POLICY);
      const { handler, bodyLimit = BODY_LIMIT } = mount;
      void answer(incoming, outgoing, { handler, origin, bodyLimit, closing, onFailure });
      return;
    }
    options.pages(incoming, outgoing).catch(async (error: unknown) => {
      if (outgoing.headersSent) return void outgoing.destroy();
      await shedBody(incoming, outgoing);
      await answer(incoming, outgoing, {
        handler: async () => onFailure(error),
        origin,
        bodyLimit: 0,
        closing,
        onFailure,
      });
    });
  };
}
