/** What Slack says of a person, as far as it tells whether they are a full member. */
export type SlackUser = {
  readonly id?: string;
  readonly team_id?: string;
  readonly deleted?: boolean;
  readonly is_bot?: boolean;
  readonly is_stranger?: boolean;
  readonly is_restricted?: boolean;
  readonly is_ultra_restricted?: boolean;
  readonly enterprise_user?: { readonly enterprise_id?: string };
};

/**
 * Whether Slack vouches that this is a full member of the installation's workspace, or of its Enterprise Grid: no
 * guest, stranger, bot, person of elsewhere, or account that ended. What Slack does not say is no.
 */
export function isFullMember(user: SlackUser | undefined, userId: string, installation: string): boolean {
  if (user === undefined || user.id !== userId) return false;
  const home = installation.startsWith("E") ? user.enterprise_user?.enterprise_id : user.team_id;
  if (home !== installation) return false;
  return !(user.deleted || user.is_bot || user.is_stranger || user.is_restricted || user.is_ultra_restricted);
}
