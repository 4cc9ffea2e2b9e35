import type { Metadata } from "next";
import { cookies } from "next/headers";
import { requireActor } from "@/app/_lib/actor";
import { readPreferences } from "@/app/_lib/preferences";
import { OwnAbsence } from "@/app/_ui/absences/own-absence";
import { PageHead, Section } from "@/app/_ui/bits";
import { Page } from "@/app/_ui/pages";
import { SafeText } from "@/app/_ui/safe-text";
import { ApproverSafety } from "@/app/_ui/settings/approver-safety";
import { Mails } from "@/app/_ui/settings/mails";
import { EditOrganization } from "@/app/_ui/settings/organization-form";
import { ChangePassword } from "@/app/_ui/settings/password-form";
import { PreferencesForm } from "@/app/_ui/settings/preferences-form";
import { SignInList } from "@/app/_ui/settings/sign-in-list";
import { TokenList } from "@/app/_ui/settings/token-list";
import { getOwnAbsence } from "@/server/services/absences/list";
import { getApproverSafety } from "@/server/services/approver-safety/get";
import { getMails } from "@/server/services/identity/self/mails";
import { listSignIns } from "@/server/services/identity/self/sign-ins";
import { listTokens } from "@/server/services/identity/self/tokens";
import { getOrganization, type OrganizationView } from "@/server/services/organizations/get";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage() {
  const actor = await requireActor("self:read");
  const [absence, tokens, signIns, mails, organization, safety] = await Promise.all([
    getOwnAbsence(actor, {}),
    listTokens(actor, {}),
    listSignIns(actor, {}),
    getMails(actor, {}),
    getOrganization(actor, {}),
    getApproverSafety(actor, {}),
  ]);
  return (
    <Page>
      <PageHead title="Settings" />
      <Section title="This browser" id="browser">
        <PreferencesForm preferences={readPreferences(await cookies())} />
      </Section>
      <Section title="Mails to you" id="mails">
        <Mails {...mails} />
      </Section>
      <Section title="Out of office" id="absence">
        <OwnAbsence {...absence} />
      </Section>
      <Section title="Password" id="password">
        <div>
          <ChangePassword />
        </div>
      </Section>
      <Section title="Personal tokens" id="tokens">
        <p className="text-text2">
          For the HTTP API, which{" "}
          <a className="link" href="/docs/api">
            its reference
          </a>{" "}
          describes.
        </p>
        <TokenList tokens={tokens.items} />
      </Section>
      <Section title="Where you are signed in" id="sign-ins">
        <SignInList signIns={signIns.items} />
      </Section>
      <Section title="Organization" id="organization">
        <p>
          <SafeText text={organization.name} oneLine />, undo window {organization.undoSeconds} s
        </p>
        <p className="text-text2">{lifeOf(organization)}</p>
        <div>
          {actor.permissions.has("organization:manage") ? <EditOrganization organization={organization} /> : null}
        </div>
      </Section>
      <ApproverSafety
        safety={safety}
        mayManage={actor.permissions.has("organization:manage")}
        isOwner={actor.role === "owner"}
      />
    </Page>
  );
}

/** What the organization set of an approval's life, in words. */
function lifeOf({ escalateAfterMinutes, slackMaxRisk }: OrganizationView): string {
  const next =
    escalateAfterMinutes === 0
      ? "What nobody decides is not passed on to the next role."
      : `What nobody decides goes on to the next role every ${escalateAfterMinutes} min.`;
  return `${next} Slack may approve ${slackMaxRisk === "low" ? "low risk only" : "low and medium risk"}.`;
}
