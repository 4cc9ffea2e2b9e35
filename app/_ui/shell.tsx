import Link from "next/link";
import type { ReactNode } from "react";
import { plural } from "@/app/_lib/format";
import { ClockProvider } from "./clock";
import { type ActiveControl, ControlStripe } from "./control-stripe";
import { KeyHelp } from "./key-help";
import { KeyProvider } from "./keys";
import { LiveRefresh } from "./live";
import { type NavItem, navFor } from "./nav";
import { NavList } from "./nav-list";
import { NavSheet } from "./nav-sheet";
import { SafeText } from "./safe-text";
import { SignOut } from "./sign-out";
import { Toasts } from "./toasts";
import type { Viewer } from "./types";

type Props = {
  viewer: Viewer;
  /** The database's clock when this was rendered. */
  now: Date;
  waiting: number;
  /** How many requests nobody can approve; zero for who cannot change that. */
  nobodyCan: number;
  /** Workspaces of Slack that get no cards; zero for who cannot change that. */
  slackProblems: number;
  controls: readonly ActiveControl[];
  demo: boolean;
  keys: boolean;
  children: ReactNode;
};

/** The frame of every page for people: navigation by role, the state of the controls, live updates, keys. */
export function Shell({ viewer, now, waiting, nobodyCan, slackProblems, controls, demo, keys, children }: Props) {
  const items = navFor(viewer.role, { demo, hasRight: viewer.hasRight });
  const goTo = Object.fromEntries(items.map(({ key, path }) => [key, path]));
  return (
    <ClockProvider now={now}>
      <KeyProvider enabled={keys} goTo={goTo}>
        <Toasts>
          <a href="#main" className="sr-only focus:not-sr-only focus:fixed focus:z-60 focus:bg-surface focus:p-3">
            Skip to content
          </a>
          <div className="min-h-dvh lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
            <Side viewer={viewer} items={items} waiting={waiting} />
            <div className="flex min-w-0 flex-col">
              <ControlStripe controls={controls} />
              <NobodyCan count={nobodyCan} />
              <SlackProblems count={slackProblems} />
              <LiveRefresh />
              <main id="main" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
                {children}
              </main>
            </div>
          </div>
          <KeyHelp places={items} />
        </Toasts>
      </KeyProvider>
    </ClockProvider>
  );
}

/** Where owners and admins see it at once, instead of when it has expired. */
function NobodyCan({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 bg-wait-tint px-4 py-2 text-sm text-wait lg:px-8">
      <strong>
        {plural(count, "request waits", "requests wait")} that nobody can approve as roles and members stand
      </strong>
      <Link href="/approvals" className="ml-auto underline underline-offset-2" prefetch={false}>
        Open approvals
      </Link>
    </p>
  );
}

/** Approvals go on without Slack, but whoever waits for a card there waits in vain. */
function SlackProblems({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-3 bg-wait-tint px-4 py-2 text-sm text-wait lg:px-8">
      <strong>
        {plural(count, "Slack workspace gets", "Slack workspaces get")} no approvals from us. Decide in the web app
        until it is mended.
      </strong>
      <Link href="/slack" className="ml-auto underline underline-offset-2" prefetch={false}>
        Open Slack
      </Link>
    </p>
  );
}

type SideProps = { viewer: Viewer; items: readonly NavItem[]; waiting: number };

function Side({ viewer, items, waiting }: SideProps) {
  return (
    <header className="sticky top-0 z-30 flex items-center justify-between border-b border-line bg-canvas px-3 max-lg:h-14 short:static lg:h-dvh lg:flex-col lg:items-stretch lg:justify-start lg:gap-4 lg:overflow-auto lg:border-r lg:border-b-0 lg:py-4">
      <p className="px-2.5 text-md font-bold">Countersign</p>
      <nav aria-label="Main" className="max-lg:hidden">
        <NavList items={items} waiting={waiting} />
      </nav>
      <div className="mt-auto max-lg:hidden">
        <Who viewer={viewer} />
      </div>
      <div className="lg:hidden">
        <NavSheet items={items} waiting={waiting}>
          <Who viewer={viewer} />
        </NavSheet>
      </div>
    </header>
  );
}

function Who({ viewer }: { viewer: Viewer }) {
  return (
    <div className="grid gap-2 px-2.5 text-sm">
      <p className="min-w-0">
        <span className="block font-semibold">
          <SafeText text={viewer.name} oneLine />
        </span>
        <span className="text-text3">
          {viewer.role}, <SafeText text={viewer.organizationName} oneLine />
        </span>
      </p>
      <SignOut />
    </div>
  );
}
