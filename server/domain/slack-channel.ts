/** What Slack says of a channel, as far as it tells who may read it. */
type Channel = {
  readonly is_private?: boolean;
  readonly is_shared?: boolean;
  readonly is_ext_shared?: boolean;
  readonly is_org_shared?: boolean;
  readonly is_pending_ext_shared?: boolean;
};

/** Whether everyone in the workspace may read a channel, or people of another one. What Slack does not say is open. */
export function isOpenToOthers(channel: Channel | undefined): boolean {
  if (!channel?.is_private) return true;
  return Boolean(channel.is_shared || channel.is_ext_shared || channel.is_org_shared || channel.is_pending_ext_shared);
}
