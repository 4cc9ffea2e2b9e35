"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { shortDigest } from "@/app/_lib/format";
import { useKey } from "./keys";

/** What the decision is bound to: short to compare by eye, whole when copied. */
export function Digest({ digest }: { digest: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(digest);
    setCopied(true);
  };
  useKey("c", "Copy the digest", () => void copy());
  const Icon = copied ? Check : Copy;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-text3">
      Digest <code className="text-text2">{shortDigest(digest)}…</code>
      <button type="button" className="btn btn-quiet px-2 text-xs" onClick={() => void copy()}>
        <Icon size={14} strokeWidth={1.75} aria-hidden />
        {copied ? "Copied all 64 digits" : "Copy"}
        <kbd className="key" aria-hidden>
          c
        </kbd>
      </button>
      <span className="basis-full">It covers agent, connection, grant, tool version and every argument.</span>
    </p>
  );
}
