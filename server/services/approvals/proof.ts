import { findAction } from "@/server/domain/actions/registry";
import type { MemberActor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import { presentedPasswordSchema } from "@/server/domain/password";
import { type Asked, refused } from "@/server/services/approvals/asked";
import { proveAnew } from "@/server/services/identity/fresh-proof";
import type { StoredRequest } from "@/server/services/requests/stored-request";

/** What a person gives besides, to prove at this moment that it is they. */
export const proofFields = { password: presentedPasswordSchema.optional() };

/** By the risk it was asked with, or by the one its action declares now. */
export const isHighRisk = ({ risk, action }: Pick<StoredRequest, "risk" | "action">): boolean =>
  risk === "high" || findAction(action)?.risk === "high";

type Answering = Parameters<typeof refused>[1];

/**
 * Asks for the password before high risk is approved, whatever the caller came with: neither a browser left open nor
 * a token that leaked approves it. Each attempt counts towards the lock of the account; of one call only the first.
 */
export function proofOnce(actor: MemberActor, password: string | undefined) {
  let isProven = false;
  return async (answering: Answering, asked: Asked): Promise<void> => {
    if (isProven || answering.decision === "reject" || !isHighRisk(asked.request)) return;
    if (password === undefined) throw await refused(actor, answering, asked, required());
    await proveAnew(actor, password);
    isProven = true;
  };
}

const required = () =>
  new AppError("forbidden", "Not approved, nothing ran. Approving high risk takes your password once more.", {
    reason: "proof_required",
    field: "password",
  });
