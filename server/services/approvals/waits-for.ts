import { decides } from "@/server/services/approvals/authority";
import { decidesOwnSql } from "@/server/services/approvals/own-request";
import { REQUESTERS } from "@/server/services/approvals/requesters";

/**
 * Whether approval `a` waits for member `m`, in SQL over these and what `REQUESTERS` reads, as `mayDecide` of the read
 * model: their authority suffices, they did not ask or may decide that too, and they have not answered.
 */
export const WAITS_FOR = `(a.status = 'pending' AND ${decides("a.required_role")}
  AND (m.id <> ALL (${REQUESTERS}) OR ${decidesOwnSql("a.required_people")})
  AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.org_id = a.org_id AND d.approval_id = a.id AND d.member_id = m.id))`;
