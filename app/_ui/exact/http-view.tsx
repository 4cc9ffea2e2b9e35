import type { HttpCall } from "@/app/_lib/call-shape";
import { Pill } from "@/app/_ui/pill";
import { ReadPart } from "@/app/_ui/read-part";
import { SafeText } from "@/app/_ui/safe-text";
import { Others } from "./email-view";
import { Listing } from "./listing";
import { UrlView } from "./url-view";

/** An HTTP call: method, address in its parts, headers, body. */
export function HttpView({ http }: { http: HttpCall }) {
  return (
    <div className="grid gap-4">
      <ReadPart label="address" className="grid gap-2">
        <p>
          <Pill tone={isRead(http.method) ? "plain" : "wait"}>
            <SafeText text={http.method} oneLine />
          </Pill>
        </p>
        <UrlView url={http.url} />
      </ReadPart>
      <ReadPart label="headers">
        <Headers headers={http.headers} />
      </ReadPart>
      <ReadPart label="body">
        <Body http={http} />
      </ReadPart>
      {http.others.length > 0 ? <Others fields={http.others} /> : null}
    </div>
  );
}

function Headers({ headers }: { headers: HttpCall["headers"] }) {
  return (
    <dl className="facts" aria-label="Headers">
      {headers.map(([name, value]) => (
        <div key={name} className="contents">
          <dt>
            <SafeText text={name} oneLine mono />
          </dt>
          <dd>
            <SafeText text={value} oneLine mono />
          </dd>
        </div>
      ))}
      <dt>Credential</dt>
      <dd className="text-text2">added by the gateway where the connection has one</dd>
    </dl>
  );
}

function Body({ http: { body } }: { http: HttpCall }) {
  if (body === undefined) return <p className="text-text3">No body</p>;
  if (body === "") return <p className="text-text3">Body: empty text</p>;
  if (typeof body !== "string") {
    return <Listing text={JSON.stringify(body, null, 2)} label="Body, sent as JSON on one line" language="json" />;
  }
  return /^\s*[[{]/.test(body) ? (
    <Listing text={body} label="Body, JSON" language="json" />
  ) : (
    <Listing text={body} label="Body" />
  );
}

function isRead(method: string): boolean {
  return /^(get|head)$/i.test(method);
}
