import { handleSlackCallback } from "@/server/http/slack-callback";

export const dynamic = "force-dynamic";

export { handleSlackCallback as GET };
