import { createServer } from "node:http";

/** What plain `node:http` does on the same machine: reads a body and answers with it. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => response.setHeader("content-type", "application/json").end(Buffer.concat(chunks)));
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.once("disconnect", () => process.exit(0));
