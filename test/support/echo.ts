import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { startEcho } from "@/server/cli/demo/echo";

export type Running = {
  readonly port: number;
  /** `http://127.0.0.1:port` or `https://localhost:port`. */
  readonly origin: string;
  /** As the operator would name it. */
  readonly host: string;
  readonly close: () => Promise<void>;
};

const portOf = (server: TcpServer): number => (server.address() as AddressInfo).port;

function running(server: Server | TcpServer, scheme: "http" | "https"): Running {
  const port = portOf(server);
  const host = `${scheme === "https" ? "localhost" : "127.0.0.1"}:${port}`;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      if ("closeAllConnections" in server) server.closeAllConnections();
    });
  return { port, origin: `${scheme}://${host}`, host, close };
}

const listening = <T extends TcpServer>(server: T): Promise<T> =>
  new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));

/** The demo's echo service on a free port. */
export const runEcho = async (): Promise<Running> => running(await startEcho(0), "http");

/** An HTTP server of the test's own. */
export const runHttp = async (listener: RequestListener): Promise<Running> =>
  running(await listening(createServer(listener)), "http");

/** The same under TLS, as `localhost`. */
export const runHttps = async (tls: { key: string; cert: string }, listener: RequestListener): Promise<Running> =>
  running(await listening(createSecureServer(tls, listener)), "https");

/** A server that speaks no HTTP of itself, for answers that no HTTP server gives. */
export async function runTcp(onSocket: (socket: Socket) => void): Promise<Running> {
  const sockets = new Set<Socket>();
  const server = await listening(
    createTcpServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on("error", () => undefined);
      onSocket(socket);
    }),
  );
  const { close, ...rest } = running(server, "http");
  return {
    ...rest,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return close();
    },
  };
}

/** What the running test has open; `closeAll` after each. */
export const open: Running[] = [];

export async function opened<T extends Running>(running: Promise<T>): Promise<T> {
  const server = await running;
  open.push(server);
  return server;
}

export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}
