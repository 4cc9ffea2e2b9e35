"use client";

import { Tabs } from "@base-ui/react/tabs";
import { type ReactNode, useState } from "react";
import { useKey } from "@/app/_ui/keys";

type Props = { readable: ReactNode; canonical: ReactNode; size: string };

/** Readable or canonical, on `v`. */
export function ViewSwitch({ readable, canonical, size }: Props) {
  const [view, setView] = useState<"readable" | "canonical">("readable");
  useKey("v", "Readable or canonical", () => setView(view === "readable" ? "canonical" : "readable"));
  return (
    <Tabs.Root
      value={view}
      onValueChange={(next) => setView(next === "canonical" ? "canonical" : "readable")}
      className="grid min-w-0 gap-4"
    >
      <Tabs.List className="flex flex-wrap gap-1 border-b border-line pb-2" aria-label="Form of the call">
        <Tab value="readable">Readable</Tab>
        <Tab value="canonical">
          Canonical JSON <span className="text-text3">{size}</span>
        </Tab>
      </Tabs.List>
      {/* Kept while the other form shows: parts that were not read must stay counted. */}
      <Tabs.Panel value="readable" keepMounted className="min-w-0">
        {readable}
      </Tabs.Panel>
      <Tabs.Panel value="canonical" className="min-w-0">
        {canonical}
      </Tabs.Panel>
    </Tabs.Root>
  );
}

function Tab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Tabs.Tab
      value={value}
      className="min-h-8 rounded-md px-3 text-sm text-text2 coarse:min-h-11 data-active:bg-selected data-active:font-semibold data-active:text-text"
    >
      {children}
    </Tabs.Tab>
  );
}
