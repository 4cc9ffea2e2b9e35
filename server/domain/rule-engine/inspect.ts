import type { ASTNode } from "@marcbachmann/cel-js";
import { isTimeZone } from "@/server/domain/local-time";
import {
  RULE_FUNCTIONS,
  RULE_METHODS,
  RULE_OBJECTS,
  RULE_VARIABLES,
  ZONE_FUNCTIONS,
} from "@/server/domain/rule-engine/environment";

const MAX_NESTED_LOOPS = 2;
/** What reading the clock of a zone costs, in nodes. */
const ZONE_NODES = 20;
const LOOPS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);
const SEARCHES: ReadonlySet<string> = new Set(["contains", "indexOf", "lastIndexOf"]);
const NAMES: ReadonlySet<string> = new Set([...Object.keys(RULE_VARIABLES), ...Object.keys(RULE_OBJECTS)]);

/** What a condition costs as a function of its input; see `cost.ts`. */
export type Shape = {
  /** Nodes by how many loops they stand in. */
  readonly nodesByLoops: readonly [number, number, number];
  /** Nodes that search a text, by loops, for a pattern written in the rule (its length) or taken from the input. */
  readonly searches: readonly { readonly loops: number; readonly patternLength: number | null }[];
  /** A list or text can grow by at most this factor: each `+` joins two. */
  readonly growth: number;
  readonly longestListLiteral: number;
  readonly readsArguments: boolean;
};

/** Why a condition is not accepted although its grammar is right. */
export type Objection = {
  readonly code: "unknown_function" | "unknown_variable" | "loops_too_deep" | "unknown_time_zone";
  readonly name: string;
  readonly at: number;
};

type Draft = {
  nodes: [number, number, number];
  searches: { loops: number; patternLength: number | null }[];
  growth: number;
  longestListLiteral: number;
  readsArguments: boolean;
};

class Objected extends Error {
  readonly objection: Objection;
  constructor(objection: Objection) {
    super(objection.code);
    this.objection = objection;
  }
}

/**
 * Walks a parsed condition: refuses calls outside the list, names the library would supply by itself, and loops in
 * loops in loops; measures the rest. The parser bounds depth and number of nodes.
 */
export function inspectCondition(ast: ASTNode): Shape | Objection {
  const draft: Draft = { nodes: [0, 0, 0], searches: [], growth: 1, longestListLiteral: 0, readsArguments: false };
  try {
    visit(ast, { draft, loops: 0, bound: new Set() });
  } catch (error) {
    if (error instanceof Objected) return error.objection;
    throw error;
  }
  const { nodes, ...rest } = draft;
  return { nodesByLoops: nodes, ...rest };
}

type Scope = { readonly draft: Draft; readonly loops: number; readonly bound: ReadonlySet<string> };

function visit(node: ASTNode, scope: Scope): void {
  measure(node, scope);
  switch (node.op) {
    case "id":
      visitName(node.args, node.start, scope);
      break;
    case "call":
      visitCall(node, scope);
      break;
    case "rcall":
      visitMethod(node, scope);
      break;
    default:
      for (const child of childrenOf(node)) visit(child, scope);
  }
}

function measure(node: ASTNode, { draft, loops }: Scope): void {
  if (loops > MAX_NESTED_LOOPS) throw new Objected({ code: "loops_too_deep", name: "", at: node.start });
  draft.nodes[loops] = (draft.nodes[loops] ?? 0) + 1;
  if (node.op === "+") draft.growth += 1;
  if (node.op === "list") draft.longestListLiteral = Math.max(draft.longestListLiteral, node.args.length);
}

function visitName(name: string, at: number, { draft, bound }: Scope): void {
  if (bound.has(name)) return;
  // The library also knows names such as `google` and `cel`, and would let them through.
  if (!NAMES.has(name)) throw new Objected({ code: "unknown_variable", name, at });
  if (name === "args") draft.readsArguments = true;
}

function visitCall(node: Extract<ASTNode, { op: "call" }>, scope: Scope): void {
  const [name, args] = node.args;
  if (!RULE_FUNCTIONS.includes(name)) throw new Objected({ code: "unknown_function", name, at: node.start });
  if (ZONE_FUNCTIONS.includes(name)) visitZone(args[1], node.start, scope);
  for (const child of args) visit(child, scope);
}

/** A zone is written in the rule and known when it is saved, so that no call fails over it. */
function visitZone(zone: ASTNode | undefined, at: number, { draft, loops }: Scope): void {
  const name = zone?.op === "value" && typeof zone.args === "string" ? zone.args : "";
  if (!isTimeZone(name)) throw new Objected({ code: "unknown_time_zone", name, at: zone?.start ?? at });
  draft.nodes[loops] = (draft.nodes[loops] ?? 0) + ZONE_NODES;
}

function visitMethod(node: Extract<ASTNode, { op: "rcall" }>, scope: Scope): void {
  const [name, receiver, args] = node.args;
  if (!RULE_METHODS.includes(name))
    throw new Objected({ code: "unknown_function", name, at: node.input.indexOf(name, receiver.end) });
  visit(receiver, scope);
  if (SEARCHES.has(name)) {
    const pattern = args[0]?.op === "value" ? args[0].args : null;
    const patternLength = typeof pattern === "string" ? pattern.length : null;
    scope.draft.searches.push({ loops: scope.loops, patternLength });
  }
  if (!LOOPS.has(name)) {
    for (const child of args) visit(child, scope);
    return;
  }
  const [variable, ...body] = args;
  const bound = variable?.op === "id" ? new Set([...scope.bound, variable.args]) : scope.bound;
  for (const child of body) visit(child, { ...scope, loops: scope.loops + 1, bound });
}

function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case "value":
    case "id":
    case "call":
    case "rcall":
      return [];
    case ".":
    case ".?":
      return [node.args[0]];
    case "!_":
    case "-_":
      return [node.args];
    case "map":
      return node.args.flat();
    case "list":
    case "?:":
      return node.args;
    default:
      return node.args;
  }
}
