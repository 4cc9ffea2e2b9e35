import type { Facts } from "@/server/domain/facts";
import type { ToolCall } from "@/server/domain/tool-request";
import type { CheckName, CheckResult } from "@/server/domain/verdict";

/** A check reads facts and answers. It never writes, waits or reads the clock. */
export type Check = {
  readonly name: CheckName;
  readonly run: (call: ToolCall, facts: Facts) => CheckResult;
};
