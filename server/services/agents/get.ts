import { z } from "zod";
import { withOrg } from "@/server/db/with-org";
import { idOf } from "@/server/domain/ids";
import { readAgent } from "@/server/services/agents/read-agent";
import { command } from "@/server/services/command";

/** One agent. */
export const getAgent = command({
  name: "agent.get",
  callers: ["member"],
  permission: "agent:read",
  input: z.strictObject({ id: idOf("agent") }),
  run: (actor, { id }) => withOrg(actor.orgId, (tx) => readAgent(tx, id)),
});
