"use client";

import {
  createContext,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";

type Part = { label: string; isRead: boolean; element: RefObject<HTMLElement | null> };

type Gate = {
  add: (id: string, part: Omit<Part, "isRead">) => () => void;
  markRead: (id: string) => void;
  /** Everything was read in another form, such as the canonical text. */
  markAll: () => void;
  parts: ReadonlyMap<string, Part>;
};

const ReadGate = createContext<Gate | undefined>(undefined);

/** What the decision bar covers at the bottom of the window: what lies behind it was not seen. */
const BAR_HEIGHT = 104;
const BAR_MARGIN = `0px 0px -${BAR_HEIGHT}px 0px`;

/** Keeps which parts of a call have been on screen. A new digest starts over. */
export function ReadGateProvider({ digest, children }: { digest: string; children: ReactNode }) {
  return <Provider key={digest}>{children}</Provider>;
}

/** What is in here neither has to be read nor counts as reading. */
export function Ungated({ children }: { children: ReactNode }) {
  return <ReadGate value={undefined}>{children}</ReadGate>;
}

function Provider({ children }: { children: ReactNode }) {
  const [parts, setParts] = useState<ReadonlyMap<string, Part>>(new Map());
  const add = useCallback((id: string, part: Omit<Part, "isRead">) => {
    setParts((old) => new Map(old).set(id, { ...part, isRead: old.get(id)?.isRead ?? false }));
    return () => setParts((old) => new Map([...old].filter(([other, kept]) => other !== id || kept.isRead)));
  }, []);
  const markRead = useCallback((id: string) => setParts((old) => withRead(old, (other) => other === id)), []);
  const markAll = useCallback(() => setParts((old) => withRead(old, () => true)), []);
  const gate = useMemo(() => ({ add, markRead, markAll, parts }), [add, markRead, markAll, parts]);
  return <ReadGate value={gate}>{children}</ReadGate>;
}

function withRead(parts: ReadonlyMap<string, Part>, isMeant: (id: string) => boolean): ReadonlyMap<string, Part> {
  if (![...parts].some(([id, part]) => isMeant(id) && !part.isRead)) return parts;
  return new Map([...parts].map(([id, part]) => [id, isMeant(id) ? { ...part, isRead: true } : part]));
}

/** How many parts have not been on screen, and a way to the first of them. */
export function useUnread(): { count: number; goToFirst: () => void } {
  const gate = useContext(ReadGate);
  const unread = [...(gate?.parts.values() ?? [])].filter((part) => !part.isRead);
  const goToFirst = () => {
    const element = topmost(unread);
    if (!element) return;
    bringUp(element);
    element.focus({ preventScroll: true });
  };
  return { count: unread.length, goToFirst };
}

/** Height of the header on a phone, and some air. */
const TOP_MARGIN = 72;

/** Scrolls to the start of a part, or on by most of a screen where its start was reached and it is longer than that. */
function bringUp(element: HTMLElement): void {
  const { top, bottom } = element.getBoundingClientRect();
  const screen = window.innerHeight - BAR_HEIGHT;
  if (top >= 0 && bottom <= screen) return;
  if (top > TOP_MARGIN || bottom < TOP_MARGIN) element.scrollIntoView({ block: "start" });
  else window.scrollBy({ top: Math.min(screen * 0.8, bottom - screen + 16) });
}

function topmost(parts: readonly Part[]): HTMLElement | undefined {
  const elements = parts.flatMap((part) => (part.element.current ? [part.element.current] : []));
  return elements.toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0];
}

/** Registers something that must be read. Outside an approval it does nothing. */
export function useReadPart(id: string, label: string) {
  const gate = useContext(ReadGate);
  const element = useRef<HTMLElement | null>(null);
  const add = gate?.add;
  useEffect(() => add?.(id, { label, element }), [add, id, label]);
  const target = useCallback((node: HTMLElement | null) => {
    element.current = node;
  }, []);
  const markRead = useCallback(() => gate?.markRead(id), [gate?.markRead, id]);
  return { markRead, target };
}

export function useMarkAllRead(): () => void {
  const gate = useContext(ReadGate);
  return useCallback(() => gate?.markAll(), [gate?.markAll]);
}

/** Calls back once both ends of the element have been on screen, at the same time or one after the other. */
export function useSeen(onSeen: () => void) {
  const start = useRef<HTMLSpanElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const latest = useRef(onSeen);
  useEffect(() => {
    latest.current = onSeen;
  });
  useEffect(() => {
    const waiting = new Set<Element>([start.current, end.current].filter((node) => node !== null));
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!entry.isIntersecting) continue;
          waiting.delete(entry.target);
          observer.unobserve(entry.target);
        }
        if (waiting.size === 0) latest.current();
      },
      { rootMargin: BAR_MARGIN },
    );
    for (const node of waiting) observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return { start, end };
}
