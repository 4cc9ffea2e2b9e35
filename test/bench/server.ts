import { registerNoop } from "./noop";

// The product's own server, with one action more.
registerNoop();
await import("@/server/main");
