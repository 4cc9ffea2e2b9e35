import type { Metadata } from "next";
import { PlainPage } from "@/app/_ui/plain-page";

export const metadata: Metadata = { title: "Nothing here" };

/** Missing and forbidden read alike, so that an address tells nothing about what exists. */
export default function NotFound() {
  return (
    <PlainPage title="Nothing here that you may see">
      <p>It does not exist, or your role does not include it. An owner can change your role under Members.</p>
      <p>
        <a className="btn" href="/approvals">
          Open approvals
        </a>
      </p>
    </PlainPage>
  );
}
