import { alertsChannelSchema, chooseAlertsChannel } from "@/server/services/slack/alerts-channel";
import { checkedSlackSchema, checkSlack } from "@/server/services/slack/check";
import { chooseSlackChannel } from "@/server/services/slack/choose-channel";
import { connectedSlackSchema, connectSlack } from "@/server/services/slack/connect";
import { disconnectedSchema, disconnectSlack } from "@/server/services/slack/disconnect";
import { addressSchema, startInstall } from "@/server/services/slack/install";
import { startLink } from "@/server/services/slack/link-by-sign-in";
import {
  listOwnSlackLinks,
  listSlackLinks,
  slackLinksSchema,
  unlinkedSchema,
  unlinkPerson,
  unlinkSelf,
} from "@/server/services/slack/links";
import { listSlackWorkspaces, slackWorkspacesSchema } from "@/server/services/slack/list-workspaces";
import { getSlackManifest, slackManifestSchema } from "@/server/services/slack/manifest";
import { changeSlackPhrase, getSlackPhrase, phraseSchema } from "@/server/services/slack/phrase";
import { procedureOf, router } from "@/server/trpc/init";

const tags = ["Slack"] as const;
const team = { teamId: "T0123456789" };

export const slackRouter = router({
  workspaces: procedureOf(listSlackWorkspaces, {
    method: "GET",
    path: "/slack/workspaces",
    summary: "List the Slack workspaces that are or were connected",
    tags,
    output: slackWorkspacesSchema,
  }),
  connect: procedureOf(connectSlack, {
    method: "POST",
    path: "/slack/workspaces",
    summary: "Connect a Slack workspace, or change its token and channel.",
    tags,
    output: connectedSlackSchema,
    example: { token: "xoxb-\u2026", channelId: "C0123456789" },
  }),
  startInstall: procedureOf(startInstall, {
    method: "POST",
    path: "/slack/installations",
    summary: "Begin to connect a workspace through Slack, in your browser",
    tags,
    output: addressSchema,
  }),
  chooseChannel: procedureOf(chooseSlackChannel, {
    method: "POST",
    path: "/slack/workspaces/{teamId}/channel",
    summary: "Choose the channel in which approvals are asked",
    tags,
    output: connectedSlackSchema,
    example: { ...team, version: 1, channelId: "C0123456789" },
  }),
  chooseAlertsChannel: procedureOf(chooseAlertsChannel, {
    method: "POST",
    path: "/slack/workspaces/{teamId}/alerts-channel",
    summary: "Choose the channel in which changes of controls and rules are told, or none",
    tags,
    output: alertsChannelSchema,
    example: { ...team, version: 1, channelId: "C0123456789" },
  }),
  check: procedureOf(checkSlack, {
    method: "POST",
    path: "/slack/workspaces/{teamId}/check",
    summary: "Check the set-up of a workspace and say what is missing",
    tags,
    output: checkedSlackSchema,
    example: team,
  }),
  disconnect: procedureOf(disconnectSlack, {
    method: "POST",
    path: "/slack/workspaces/{teamId}/disconnect",
    summary: "Disconnect a workspace and revoke its token",
    tags,
    output: disconnectedSchema,
    example: team,
  }),
  phrase: procedureOf(getSlackPhrase, {
    method: "GET",
    path: "/slack/phrase",
    summary: "Read the phrase by which people know a card",
    tags,
    output: phraseSchema,
  }),
  changePhrase: procedureOf(changeSlackPhrase, {
    method: "POST",
    path: "/slack/phrase",
    summary: "Set the phrase by which people know a card, or none",
    tags,
    output: phraseSchema,
    example: { phrase: "grey otter, north door" },
  }),
  manifest: procedureOf(getSlackManifest, {
    method: "GET",
    path: "/slack/manifest",
    summary: "Read the manifest from which Slack makes the app",
    tags,
    output: slackManifestSchema,
  }),
  links: procedureOf(listSlackLinks, {
    method: "GET",
    path: "/slack/links",
    summary: "List who is who in the connected workspaces",
    tags,
    output: slackLinksSchema,
  }),
  unlink: procedureOf(unlinkPerson, {
    method: "POST",
    path: "/slack/workspaces/{teamId}/links/{memberId}/unlink",
    summary: "End anybody's link to Slack",
    tags,
    output: unlinkedSchema,
    example: { ...team, memberId: "mem_01J00000000000000000000000" },
  }),
  ownLinks: procedureOf(listOwnSlackLinks, {
    method: "GET",
    path: "/me/slack-links",
    summary: "List who you are in the connected workspaces",
    tags,
    output: slackLinksSchema,
  }),
  startLink: procedureOf(startLink, {
    method: "POST",
    path: "/me/slack-links",
    summary: "Begin to link yourself through Slack's sign-in, in your browser",
    tags,
    output: addressSchema,
  }),
  unlinkSelf: procedureOf(unlinkSelf, {
    method: "POST",
    path: "/me/slack-links/{teamId}/unlink",
    summary: "End your own link to Slack",
    tags,
    output: unlinkedSchema,
    example: team,
  }),
});
