import type { Metadata } from "next";
import { readReference } from "@/app/_lib/reference";
import { ReferencePage } from "@/app/_ui/reference/reference-page";

export const metadata: Metadata = { title: "API reference" };

/** Needs no credential, like the document it is made from. */
export default function ApiReferencePage() {
  return <ReferencePage reference={readReference()} />;
}
