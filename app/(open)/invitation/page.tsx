import type { Metadata } from "next";
import { PlainPage } from "@/app/_ui/plain-page";
import { InvitationForm } from "@/app/_ui/sign-in/setup-form";

export const metadata: Metadata = { title: "Invitation" };

export default function InvitationPage() {
  return (
    <PlainPage title="Choose your password">
      <p className="text-text2">This link works once, within 24 hours.</p>
      <InvitationForm />
    </PlainPage>
  );
}
