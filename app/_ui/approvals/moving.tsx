"use client";

import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ComponentProps, createContext, type ReactNode, useContext, useMemo, useTransition } from "react";

type Moving = { isMoving: boolean; move: (id: string) => void };

const MovingContext = createContext<Moving>({ isMoving: false, move: () => {} });

/**
 * Knows when the reader has asked for another approval that is not on screen yet. A decision pressed meanwhile is meant
 * for that one, but would hit the one still shown.
 */
export function MovingProvider({ children }: { children: ReactNode }) {
  const router = useRouter();
  const [isMoving, startMoving] = useTransition();
  const value = useMemo(
    () => ({ isMoving, move: (id: string) => startMoving(() => router.push(`/approvals/${id}`, { scroll: true })) }),
    [isMoving, router],
  );
  return <MovingContext value={value}>{children}</MovingContext>;
}

export const useMoving = (): Moving => useContext(MovingContext);

type Props = Omit<ComponentProps<typeof Link>, "href" | "prefetch" | "onNavigate"> & { id: string };

/** A link to an approval from within the frame. */
export function ApprovalLink({ id, ...rest }: Props) {
  const { move } = useMoving();
  return (
    <Link
      {...rest}
      href={`/approvals/${id}`}
      prefetch={false}
      onNavigate={(event) => {
        event.preventDefault();
        move(id);
      }}
    />
  );
}
