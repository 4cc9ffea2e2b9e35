import type { z } from "zod";
import type { Actor } from "@/server/domain/actor";
import { AppError } from "@/server/domain/errors";
import type { Permission } from "@/server/domain/permission";

type Kind = Actor["kind"];
type ActorOf<K extends Kind> = Extract<Actor, { kind: K }>;

type Spec<I extends z.ZodType, K extends Kind, R> = {
  /** `noun.verb`, as in the audit log. */
  readonly name: string;
  /** The kinds of caller that may come at all; others are refused before their permissions are looked at. */
  readonly callers: readonly K[];
  readonly permission: Permission;
  readonly input: I;
  readonly run: (actor: ActorOf<K>, input: z.output<I>) => Promise<R>;
};

/**
 * One guarded door for every caller: tRPC, HTTP, Slack and jobs all come through here. Kind of caller, permission,
 * schema, then work.
 */
export function command<I extends z.ZodType, K extends Kind, R>(spec: Spec<I, K, R>) {
  const isCaller = (actor: Actor): actor is ActorOf<K> => (spec.callers as readonly Kind[]).includes(actor.kind);
  const call = async (actor: Actor, raw: z.input<I>): Promise<R> => {
    if (!isCaller(actor)) {
      throw new AppError("forbidden", `This is not open to ${PLURAL[actor.kind]}.`, { reason: "wrong_caller" });
    }
    if (!actor.permissions.has(spec.permission)) {
      throw new AppError("forbidden", `This needs the permission ${spec.permission}.`, { reason: "not_permitted" });
    }
    const parsed = spec.input.safeParse(raw);
    if (!parsed.success) throw invalid(parsed.error);
    return spec.run(actor, parsed.data);
  };
  return Object.assign(call, {
    input: spec.input,
    permission: spec.permission,
    callers: spec.callers,
    commandName: spec.name,
  });
}

const PLURAL: Record<Kind, string> = { member: "people", agent: "agents", system: "jobs" };

const MAX_FIELD = 100;

/** The first thing wrong with an input: its field and rule, not its value. */
export function invalid(error: z.ZodError): AppError {
  const [issue] = error.issues;
  const key = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(key === undefined ? [] : [key])];
  const field = path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "")
    .slice(0, MAX_FIELD);
  const rule = key === undefined ? (issue?.message ?? "is not valid") : "is not a field here";
  return new AppError("invalid", field === "" ? rule : `${field}: ${rule}`, { field }, { cause: error });
}
