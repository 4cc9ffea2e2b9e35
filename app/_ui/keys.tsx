"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useMemo, useRef } from "react";

export type KeyBinding = { key: string; label: string; run: () => void };

type Registry = { bindings: RefObject<Set<KeyBinding>>; enabled: boolean };

const Keys = createContext<Registry | undefined>(undefined);

type Props = { enabled: boolean; goTo: Readonly<Record<string, string>>; children: ReactNode };

/**
 * One listener for all single-key commands. Off in fields, under a dialog, with a modifier, and while a key repeats:
 * holding `a` down must not approve what comes next.
 */
export function KeyProvider({ enabled, goTo, children }: Props) {
  const bindings = useRef(new Set<KeyBinding>());
  const router = useRouter();
  const registry = useMemo(() => ({ bindings, enabled }), [enabled]);
  useEffect(() => {
    if (!enabled) return;
    const go = goCommand(goTo, (path) => router.push(path as Route));
    const onKey = (event: KeyboardEvent) => {
      if (isCommand(event) && !go(event.key)) runBinding(bindings.current, event);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [enabled, goTo, router]);
  return <Keys value={registry}>{children}</Keys>;
}

/** Offers a key for as long as the component is there. The last one that asked for a key has it. */
export function useKey(key: string, label: string, run: () => void, active = true): void {
  const registry = useContext(Keys);
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!registry || !active) return;
    const binding = { key, label, run: () => latest.current() };
    const set = registry.bindings.current;
    set.add(binding);
    return () => {
      set.delete(binding);
    };
  }, [registry, key, label, active]);
}

/** What the keys do on this page at this moment. */
export function useBindings(): () => { enabled: boolean; bindings: KeyBinding[] } {
  const registry = useContext(Keys);
  return () => ({ enabled: registry?.enabled ?? false, bindings: [...(registry?.bindings.current ?? [])] });
}

const GO_WITHIN_MS = 1_500;

/** `g` and then the letter of a place. Returns whether the key was part of that. */
function goCommand(places: Readonly<Record<string, string>>, go: (path: string) => void): (key: string) => boolean {
  let pressedAt = Number.NEGATIVE_INFINITY;
  return (key) => {
    const isSecond = performance.now() - pressedAt < GO_WITHIN_MS;
    pressedAt = !isSecond && key === "g" ? performance.now() : Number.NEGATIVE_INFINITY;
    const path = isSecond ? places[key] : undefined;
    if (path) go(path);
    return isSecond || key === "g";
  };
}

function runBinding(bindings: ReadonlySet<KeyBinding>, event: KeyboardEvent): void {
  const binding = [...bindings].findLast((one) => one.key === event.key);
  if (!binding) return;
  event.preventDefault();
  binding.run();
}

function isCommand(event: KeyboardEvent): boolean {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) {
    return false;
  }
  const target = event.target instanceof Element ? event.target : document.body;
  if (target.closest("input, textarea, select, [contenteditable]")) return false;
  // Our dialogs; a toast has the role of one as well, and must not silence the keys.
  return !document.querySelector(".popup, .sheet");
}
