import type { Metadata, Route } from "next";
import { redirect } from "next/navigation";
import { currentActor } from "@/app/_lib/actor";
import { returnPath } from "@/app/_lib/return-path";
import { first, type SearchParams } from "@/app/_lib/search-params";
import { PlainPage } from "@/app/_ui/plain-page";
import { SignInForm } from "@/app/_ui/sign-in/sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const to = returnPath(first((await searchParams).to));
  if (await currentActor()) redirect(to as Route);
  return (
    <PlainPage title="Sign in">
      <SignInForm to={to} />
    </PlainPage>
  );
}
