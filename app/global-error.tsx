"use client";

import { PlainPage } from "@/app/_ui/plain-page";
import "./globals.css";

/** Stands in for the layout when that fails. Next's own page would break our content security policy. */
export default function GlobalError({ retry }: { retry: () => void }) {
  return (
    <html lang="en">
      <head>
        <title>Not loaded · Countersign</title>
      </head>
      <body>
        <PlainPage title="Countersign did not load">
          <p>Nothing was approved, rejected or run by this page. If it stays, the server log says why.</p>
          <p>
            <button type="button" className="btn btn-ink" onClick={() => retry()}>
              Load again
            </button>
          </p>
        </PlainPage>
      </body>
    </html>
  );
}
