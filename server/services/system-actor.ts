import type { SystemActor } from "@/server/domain/actor";
import { permissionsOfTheSystem } from "@/server/domain/permission";

/** The product itself, doing one kind of durable work in one organization. */
export const systemActor = (orgId: string, job: string): SystemActor => ({
  kind: "system",
  orgId,
  job,
  permissions: permissionsOfTheSystem(),
});
