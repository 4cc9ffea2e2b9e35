import { Environment } from "@marcbachmann/cel-js";
import { CATEGORIES } from "@/server/domain/categories";
import { minuteOfDayIn, weekdayIn } from "@/server/domain/local-time";
import type { RuleFacts } from "@/server/domain/rule";

const MICROS_PER_UNIT = 1_000_000;

/** Variables of a condition with their CEL types and, for people, what they mean. */
export const RULE_VARIABLES = {
  action: ["string", "the action's full name, such as email.send"],
  tool: ["string", "the part of the action's name before the last point"],
  effect: ["string", "read or write"],
  risk: ["string", "low, medium or high"],
  outward: ["bool", "whether arguments leave for a destination nobody trusts"],
  irreversible: ["bool", "whether it cannot be undone"],
  amount: ["double", "what it pays or moves, else costs, in units of the currency; 0.0 for nothing"],
  amountMicros: ["int", "the same, exactly, in millionths"],
  currency: ["string", "such as EUR, empty where nothing is paid"],
  recipients: ["list<string>", "addresses it writes to, in lower case"],
  hosts: ["list<string>", "hosts it reaches, in lower case"],
  categories: ["list<string>", `what it touches: ${Object.keys(CATEGORIES).join(", ")}`],
  newTargets: ["list<string>", "targets this agent never reached over this connection, and nobody trusts"],
  newToOrganization: ["list<string>", "targets no agent of the organization ever reached, and nobody trusts"],
  now: ["google.protobuf.Timestamp", "when it is asked; weekdayIn(now, zone) and minuteIn(now, zone) read it"],
  args: ["map<string, dyn>", "the arguments; numbers are doubles, and a missing one makes the rule fail: use has()"],
} as const;

/** Where an amount cannot be read for certain, a rule that looks at one of these asks a person. */
export const AMOUNT_VARIABLES = ["amount", "amountMicros", "currency"] as const;

/** Variables with fields of their own. Times are UTC; weekday counts from 0, Sunday. */
export const RULE_OBJECTS = {
  agent: { id: "string", name: "string", autonomy: "string", department: "string" },
  connection: { id: "string", name: "string", provider: "string" },
  session: { labels: "list<string>", origin: "string" },
  time: { hour: "int", weekday: "int", minuteOfDay: "int" },
} as const;

/** Functions and methods a condition may call. What is left out is slow, ambient or grows its input (`matches`, `split`). */
export const RULE_FUNCTIONS: readonly string[] = ["has", "size", "int", "double", "string", "weekdayIn", "minuteIn"];
/** Functions whose second argument must be written as the name of a time zone. */
export const ZONE_FUNCTIONS: readonly string[] = ["weekdayIn", "minuteIn"];
export const RULE_METHODS: readonly string[] = [
  ...["startsWith", "endsWith", "contains", "indexOf", "lastIndexOf", "substring"],
  ...["lowerAscii", "upperAscii", "trim", "size", "all", "exists", "exists_one", "filter", "map"],
];

const LIMITS = { maxAstNodes: 500, maxDepth: 40, maxListElements: 200, maxMapEntries: 20, maxCallArguments: 4 };

/** The typed environment that every condition is checked against. Its functions see arguments only: no clock, no I/O. */
export function createRuleEnvironment(): Environment {
  const environment = new Environment({ unlistedVariablesAreDyn: false, limits: LIMITS });
  for (const [name, [type]] of Object.entries(RULE_VARIABLES)) environment.registerVariable(name, type);
  for (const [name, schema] of Object.entries(RULE_OBJECTS)) environment.registerVariable({ name, schema });
  // People write `amount == 500`; the specification asks for 500.0.
  environment.registerOperator("double == int", (left: number, right: bigint) => left === Number(right));
  const zoned = (name: string) => `${name}(google.protobuf.Timestamp, string): int`;
  environment.registerFunction(zoned("weekdayIn"), (at: Date, zone: string) => BigInt(weekdayIn(at, zone)));
  environment.registerFunction(zoned("minuteIn"), (at: Date, zone: string) => BigInt(minuteOfDayIn(at, zone)));
  return environment;
}

/** The facts as CEL values: integers as bigint, everything else as it is. */
export function toRuleContext(facts: RuleFacts): Record<string, unknown> {
  const { at, action, arguments: args, amountMicros } = facts;
  return {
    action,
    tool: action.slice(0, Math.max(action.lastIndexOf("."), 0)),
    effect: facts.effect,
    risk: facts.risk,
    outward: facts.outward,
    irreversible: facts.irreversible,
    amount: Number(amountMicros) / MICROS_PER_UNIT,
    amountMicros,
    currency: facts.currency,
    recipients: facts.recipients,
    hosts: facts.hosts,
    categories: facts.categories,
    newTargets: facts.newTargets,
    newToOrganization: facts.newToOrganization,
    now: at,
    args,
    agent: facts.agent,
    connection: facts.connection,
    session: facts.session,
    time: {
      hour: BigInt(at.getUTCHours()),
      weekday: BigInt(at.getUTCDay()),
      minuteOfDay: BigInt(at.getUTCHours() * 60 + at.getUTCMinutes()),
    },
  };
}
