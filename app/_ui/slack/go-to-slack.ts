import type { Outcome } from "@/app/_ui/outcome";

/** Leaves for Slack once the server has said where to. The browser comes back to the Slack page. */
export function goToSlack(outcome: Outcome<{ url: string }>): Outcome<{ url: string }> {
  if (outcome.ok) location.assign(outcome.value.url);
  return outcome;
}
