import { createServer, type RequestListener, type Server } from "node:http";

const isLocal = (host: string | undefined) => /^(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?$/i.test(host ?? "");

/** A server on loopback that answers to local names only, so that no web site can read it through a name of its own. */
export function listenLocally(port: number, listener: RequestListener): Promise<Server> {
  const server = createServer((incoming, outgoing) => {
    if (isLocal(incoming.headers.host)) return listener(incoming, outgoing);
    outgoing.writeHead(400).end();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
