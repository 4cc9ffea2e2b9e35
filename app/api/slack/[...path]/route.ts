import { after } from "next/server";
import { handleSlack } from "@/slack/app";

export const dynamic = "force-dynamic";

/** What goes on after the answer is kept alive by the platform. */
export const POST = (request: Request): Promise<Response> => handleSlack(request, (work) => after(() => work));
