import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer } from "node:tls";
import { expect, it } from "vitest";
import { makeLocalCertificate } from "@/server/cli/demo/certificate";

it("the demo's certificate stands for this machine, can sign no other, and TLS accepts it where it is trusted", async () => {
  const made = makeLocalCertificate();
  const parsed = new X509Certificate(made.cert);
  expect(parsed.ca).toBe(false);
  expect(parsed.checkHost("localhost")).toBe("localhost");
  expect(parsed.checkHost("example.com")).toBeUndefined();
  expect(parsed.checkIP("127.0.0.1")).toBe("127.0.0.1");
  const server = createServer(made, (socket) => socket.end("hello")).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const trusted = connect({ host: "127.0.0.1", port, servername: "localhost", ca: made.cert });
  await once(trusted, "secureConnect");
  expect(trusted.authorized).toBe(true);
  trusted.destroy();
  const untrusted = connect({ host: "127.0.0.1", port, servername: "localhost" });
  const error = await new Promise((resolve) => untrusted.once("error", resolve));
  expect(error).toBeInstanceOf(Error);
  server.close();
});
