"use client";

import { PlainPage } from "@/app/_ui/plain-page";

type Props = { error: Error & { digest?: string }; retry: () => void };

export default function ErrorPage({ error, retry }: Props) {
  return (
    <PlainPage title="This page did not load">
      <p>Showing a page changes nothing: no request was approved, rejected or run by it.</p>
      {error.digest ? (
        <p className="text-text2">
          Error number <code>{error.digest}</code> is in the server log.
        </p>
      ) : null}
      <p className="flex flex-wrap gap-3">
        <button type="button" className="btn btn-ink" onClick={() => retry()}>
          Load again
        </button>
        <a className="btn" href="/approvals">
          Open approvals
        </a>
      </p>
    </PlainPage>
  );
}
