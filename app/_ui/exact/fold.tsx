"use client";

import { useId, useState } from "react";
import { useReadPart } from "@/app/_ui/read-gate";
import { SafeText } from "@/app/_ui/safe-text";

type Props = { label: string; rest: string; part: string; mono?: boolean; source?: boolean };

/** The rest of a long text. Until it is opened it counts as not read. */
export function Fold({ label, rest, part, mono = false, source = false }: Props) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const { markRead, target } = useReadPart(id, part);
  if (open) return <SafeText text={rest} mono={mono} source={source} />;
  const show = () => {
    setOpen(true);
    markRead();
  };
  return (
    <button type="button" ref={target} className="btn justify-self-start" onClick={show}>
      {label}
    </button>
  );
}
