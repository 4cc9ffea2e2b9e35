import { z } from "zod";

/** What Slack sends, as far as it matters before a listener reads it. */
const payloadSchema = z.looseObject({
  type: z.string().max(100).optional(),
  challenge: z.string().max(500).optional(),
  team: z.looseObject({ id: z.string().max(50) }).nullish(),
  team_id: z.string().max(50).optional(),
});
export type Payload = z.output<typeof payloadSchema>;

const decoder = new TextDecoder("utf-8", { fatal: true });

function parsed(text: string): unknown {
  const form = new URLSearchParams(text);
  const payload = form.get("payload");
  return payload === null ? Object.fromEntries(form) : JSON.parse(payload);
}

/** Reads a body as its content type says; null where it is not what Slack sends. */
export function readPayload(body: Uint8Array, contentType: string | null): Payload | null {
  try {
    const text = decoder.decode(body);
    const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase();
    if (type !== "application/json" && type !== "application/x-www-form-urlencoded") return null;
    return payloadSchema.safeParse(type === "application/json" ? JSON.parse(text) : parsed(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The workspace that a call is about; empty where it names none. */
export const teamOf = (payload: Payload): string => payload.team?.id ?? payload.team_id ?? "";
