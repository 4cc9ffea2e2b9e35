import { createHmac } from "node:crypto";
import canonicalize from "canonicalize";

/**
 * The value of `x-inngest-signature` for a JSON body. `nowS` is epoch seconds by this process's clock, which is the
 * one that the SDK compares with, to within five minutes.
 */
export function signature(body: unknown, signingKey: string, nowS: number): string {
  const key = signingKey.replace(/^signkey-\w+-/, "");
  const digest = createHmac("sha256", key)
    .update(`${canonicalize(body)}${nowS}`)
    .digest("hex");
  return `t=${nowS}&s=${digest}`;
}
