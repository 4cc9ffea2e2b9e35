import { z } from "zod";

/** What Slack sends, as far as it matters before a listener reads it. */
const payloadSchema = z.looseObject({
  type: z.string().max(100).optional(),
  challenge: z.string().max(500).optional(),
  team: z.looseObject({ id: z.string().max(50) }).nullish(),
  team_id: z.string().max(50).nullish(),
  enterprise: z.looseObject({ id: z.string().max(50) }).nullish(),
  enterprise_id: z.string().max(50).nullish(),
  /** A word in a form, a boolean elsewhere. */
  is_enterprise_install: z.union([z.boolean(), z.enum(["true", "false"])]).nullish(),
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
    return parsePayload(type === "application/json" ? JSON.parse(text) : parsed(text));
  } catch {
    return null;
  }
}

/** Reads what came over a socket; null where it is not what Slack sends. */
export const parsePayload = (value: unknown): Payload | null => payloadSchema.safeParse(value).data ?? null;

/** The installations that a call can be about: the workspace it names, and the Enterprise Grid where that was installed as a whole. */
export function installationsOf(payload: Payload): readonly string[] {
  const team = payload.team?.id ?? payload.team_id ?? "";
  const grid = payload.enterprise?.id ?? payload.enterprise_id ?? "";
  const isWhole = payload.is_enterprise_install === true || payload.is_enterprise_install === "true";
  return (isWhole ? [grid, team] : [team, grid]).filter((id) => id !== "");
}
