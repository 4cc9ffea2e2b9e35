import { z } from "zod";
import { isRiskWithin, type Risk } from "@/server/domain/action";

/** The highest risk that an organization lets people approve in Slack. High risk is in no setting's reach. */
export const slackMaxRiskSchema = z.enum(["low", "medium"]);
export type SlackMaxRisk = z.output<typeof slackMaxRiskSchema>;

/** Whether what carries this risk may be approved in Slack. */
export const mayApproveInSlack = (risk: Risk, highest: SlackMaxRisk): boolean => isRiskWithin(risk, highest);
