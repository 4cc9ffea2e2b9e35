"use client";

import { CSPProvider } from "@base-ui/react/csp-provider";
import { type ReactNode, useState } from "react";

/**
 * Keeps the nonce of the first response: a later soft navigation brings another one, which the document's policy does
 * not know. Base UI writes no style elements; their one rule is in globals.css.
 */
export function NonceProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [first] = useState(nonce);
  return (
    <CSPProvider {...(first ? { nonce: first } : {})} disableStyleElements>
      {children}
    </CSPProvider>
  );
}
