import { handleLive } from "@/server/http/live";

export const dynamic = "force-dynamic";

export { handleLive as GET };
