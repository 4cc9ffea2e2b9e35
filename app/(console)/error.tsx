"use client";

type Props = { error: Error & { digest?: string }; retry: () => void };

/** One panel failed: the navigation and the stops stay in reach. */
export default function ConsoleError({ error, retry }: Props) {
  return (
    <div className="grid max-w-md content-start gap-3 px-4 py-12 lg:px-8" role="alert">
      <h1 className="text-lg font-semibold">This page did not load</h1>
      <p className="text-text2">Showing a page changes nothing: no request was approved, rejected or run by it.</p>
      {error.digest ? (
        <p className="text-text2">
          Error number <code>{error.digest}</code> is in the server log.
        </p>
      ) : null}
      <p>
        <button type="button" className="btn btn-ink" onClick={() => retry()}>
          Load again
        </button>
      </p>
    </div>
  );
}
