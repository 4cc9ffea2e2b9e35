import { asEmail, asHttp, fieldsOf } from "@/app/_lib/call-shape";
import { byteLength, formatCount, plural } from "@/app/_lib/format";
import { splitText } from "@/app/_lib/split-text";
import { Ungated } from "@/app/_ui/read-gate";
import { ReadWhole } from "@/app/_ui/read-part";
import type { ExactCall, HiddenCall } from "@/app/_ui/types";
import { countAlarms, visible } from "@/server/domain/visible/visible";
import { EmailView } from "./email-view";
import { HttpView } from "./http-view";
import { Listing } from "./listing";
import { ArgumentsList } from "./values-view";
import { ViewSwitch } from "./view-switch";

/** One call whole, in two forms: readable, and the canonical text that is hashed and run. */
export function ExactCallView({ call }: { call: ExactCall }) {
  const alarms = alarmsIn(call.arguments);
  return (
    <div className="card grid gap-4 p-4">
      {alarms > 0 ? (
        <p className="notice notice-stop">
          {plural(alarms, "hidden or look-alike character")} in this call, drawn as {alarms === 1 ? "a box" : "boxes"}{" "}
          or underlined where {alarms === 1 ? "it stands" : "they stand"}.
        </p>
      ) : null}
      <ViewSwitch
        readable={<Readable call={call} />}
        canonical={<Canonical text={call.canonical} />}
        size={`${formatCount(byteLength(call.canonical))} bytes`}
      />
    </div>
  );
}

/** Seen to its end it stands for every part, unless some of it is folded away. */
function Canonical({ text }: { text: string }) {
  const listing = <Listing text={text} label="Canonical JSON" language="json" numbered={false} />;
  return splitText(text).rest === "" ? <ReadWhole>{listing}</ReadWhole> : <Ungated>{listing}</Ungated>;
}

/** For those who may know that there was a call, and not what it said. */
export function HiddenCallView({ call }: { call: HiddenCall }) {
  return (
    <div className="card p-4 text-text2">
      <code>{call.action}</code> with arguments that are not shown to you, or were not stored.
    </div>
  );
}

function Readable({ call }: { call: ExactCall }) {
  const mail = call.action === "email.send" ? asEmail(call.arguments) : undefined;
  if (mail) {
    const { account } = call.connection;
    return (
      <EmailView
        mail={mail}
        {...(account === undefined ? {} : { from: account })}
        {...(call.seenTargets ? { seenTargets: call.seenTargets } : {})}
      />
    );
  }
  const http = call.action === "http.request" ? asHttp(call.arguments) : undefined;
  return http ? <HttpView http={http} /> : <ArgumentsList fields={fieldsOf(call.arguments)} />;
}

const MAX_SCANNED = 65_536;

/** Counted over keys and values together, in the first 64 KB: the boxes themselves are drawn everywhere. */
function alarmsIn(args: unknown): number {
  const texts: string[] = [];
  JSON.stringify(args, (key, value: unknown) => {
    texts.push(key);
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return countAlarms(visible(texts.join("\n").slice(0, MAX_SCANNED)));
}
