"use client";

import { Check, Copy } from "lucide-react";
import { useState } from "react";

/** A key or token in the only moment in which anyone can see it. */
export function SecretOnce({ secret, note }: { secret: string; note: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  const Icon = copied ? Check : Copy;
  return (
    <div className="grid gap-2">
      <p className="text-text2">{note}</p>
      <output className="mono exact rounded-md border border-edge bg-sunken p-3">{secret}</output>
      <button type="button" className="btn justify-self-start" onClick={() => void copy()}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
        {copied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
