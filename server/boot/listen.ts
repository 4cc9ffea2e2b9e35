import { createServer, type RequestListener, type Server } from "node:http";
import { BootError } from "./check-role";

const HEADERS_MS = 15_000;
const REQUEST_MS = 60_000;
const IDLE_MS = 65_000;
const DRAIN_MS = 8_000;

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === "EADDRINUSE") {
    return new BootError(`Port ${port} is taken on ${host}; stop what uses it or set PORT.`, { cause: error });
  }
  if (error.code === "EACCES")
    return new BootError(`Port ${port} may not be used by this user; set PORT.`, { cause: error });
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new BootError(`HOST ${host} is no address of this machine.`, { cause: error });
  }
  return error;
}

/** Listens with timeouts that a slow caller cannot stretch. Throws BootError when the address cannot be had. */
export async function listen(listener: RequestListener, host: string, port: number): Promise<Server> {
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: HEADERS_MS, keepAliveTimeout: IDLE_MS },
    listener,
  );
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, host, port)));
    server.listen(port, host, () => resolve(server));
  });
}

/** Takes no new connection, lets calls end for a few seconds, then ends them. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
