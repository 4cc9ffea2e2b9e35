import { handleInvitation } from "@/server/http/onboarding";

export const dynamic = "force-dynamic";

export { handleInvitation as POST };
