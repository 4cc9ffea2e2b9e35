import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import type { Permission } from "@/server/domain/permission";
import { signInActor } from "@/server/services/identity/authenticate";

/** The person signed in by cookie, read from the database once a rendering. */
export const currentActor = cache(
  async (): Promise<MemberActor | null> => signInActor((await headers()).get("cookie")),
);

/** Like `currentActor`; without one the reader is sent to sign in, and without the permission there is nothing here. */
export async function requireActor(permission?: Permission): Promise<MemberActor> {
  const actor = await currentActor();
  if (!actor) {
    const path = (await headers()).get("x-path") ?? "/";
    redirect(`/sign-in?to=${encodeURIComponent(path)}`);
  }
  if (permission && !actor.permissions.has(permission)) notFound();
  return actor;
}

/** Reads one thing by an address. What is missing, forbidden or no id at all reads alike. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof AppError && ["not_found", "forbidden", "invalid"].includes(error.code)) notFound();
    throw error;
  }
}
