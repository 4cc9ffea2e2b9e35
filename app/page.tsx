import type { Route } from "next";
import { redirect } from "next/navigation";
import { requireActor } from "@/app/_lib/actor";
import { navFor } from "@/app/_ui/nav";

/** Opens where this person's work is. */
export default async function Home() {
  const actor = await requireActor();
  const [first] = navFor(actor.role, { demo: false, hasRight: actor.permissions.has("approval:read") });
  redirect((first?.path ?? "/settings") as Route);
}
