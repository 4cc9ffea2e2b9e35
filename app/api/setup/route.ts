import { handleSetup } from "@/server/http/onboarding";

export const dynamic = "force-dynamic";

export { handleSetup as POST };
