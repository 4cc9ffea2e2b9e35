import { handleAuth } from "@/server/http/auth";

export const dynamic = "force-dynamic";

export { handleAuth as GET, handleAuth as POST };
