import type { EmailCall } from "@/app/_lib/call-shape";
import { keyed } from "@/app/_lib/keyed";
import { Pill } from "@/app/_ui/pill";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import { AddressView } from "./address-view";
import { HtmlSource } from "./html-source";
import { TextBlock } from "./text-block";
import { ArgumentsList } from "./values-view";

type Props = { mail: EmailCall; from?: string; seenTargets?: readonly string[] };

/** A mail as its readers would get it, with everything that reaches them and nothing that renders. */
export function EmailView({ mail, from, seenTargets }: Props) {
  return (
    <div className="grid gap-4">
      <ReadPart label="recipients">
        <dl className="facts">
          {from ? <Line name="From" text={from} mono /> : null}
          <Addresses name="To" all={mail.to} seenTargets={seenTargets} />
          {mail.cc.length > 0 ? <Addresses name="Cc" all={mail.cc} seenTargets={seenTargets} /> : null}
          {mail.bcc.length > 0 ? <Addresses name="Bcc" all={mail.bcc} seenTargets={seenTargets} hidden /> : null}
          <Line name="Subject" text={mail.subject} />
        </dl>
      </ReadPart>
      <ReadPart label="text">
        <h3 className="mb-1 text-text3">Text</h3>
        <TextBlock text={mail.text} label="text" />
      </ReadPart>
      {mail.html === undefined ? null : <HtmlSource html={mail.html} />}
      {mail.others.length > 0 ? <Others fields={mail.others} /> : null}
    </div>
  );
}

function Line({ name, text, mono = false }: { name: string; text: string; mono?: boolean }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{text === "" ? <i className="text-text3">empty text</i> : <SafeText text={text} oneLine mono={mono} />}</dd>
    </>
  );
}

type AddressesProps = {
  name: string;
  all: readonly string[];
  seenTargets: readonly string[] | undefined;
  hidden?: boolean;
};

function Addresses({ name, all, seenTargets, hidden = false }: AddressesProps) {
  return (
    <>
      <dt>
        {name}
        {hidden ? <span className="block text-xs">hidden from the others</span> : null}
      </dt>
      <dd>
        <ul className="grid gap-1">
          {keyed(all).map(({ key, item: address }) => (
            <li key={key}>
              <AddressView address={address}>
                {seenTargets ? <Known isKnown={seenTargets.includes(address.toLowerCase())} /> : null}
              </AddressView>
            </li>
          ))}
        </ul>
      </dd>
    </>
  );
}

function Known({ isKnown }: { isKnown: boolean }) {
  return isKnown ? <Pill tone="quiet">reached before</Pill> : <Pill tone="wait">new</Pill>;
}

/** Fields that the schema does not know: there should be none, and none may hide. */
export function Others({ fields }: { fields: readonly (readonly [string, unknown])[] }) {
  return (
    <div>
      <h3 className="mb-1 text-stop">Outside the schema</h3>
      <ArgumentsList fields={fields} />
    </div>
  );
}
