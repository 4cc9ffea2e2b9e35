import type { Metadata } from "next";
import { PlainPage } from "@/app/_ui/plain-page";
import { SetupForm } from "@/app/_ui/sign-in/setup-form";

export const metadata: Metadata = { title: "Set up" };

export default function SetupPage() {
  return (
    <PlainPage title="Create the organization">
      <p className="text-text2">You become its owner. This link works once.</p>
      <SetupForm />
    </PlainPage>
  );
}
