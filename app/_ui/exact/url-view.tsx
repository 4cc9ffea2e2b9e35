import { keyed } from "@/app/_lib/keyed";
import { type UrlParts, urlParts } from "@/app/_lib/url-parts";
import { SafeText } from "@/app/_ui/safe-text";

/** An address as text, never as a link: what decides where it goes stands out. */
export function UrlView({ url }: { url: string }) {
  const parts = urlParts(url);
  if (!parts) {
    return (
      <p className="text-stop">
        Not a valid address: <SafeText text={url} oneLine mono />
      </p>
    );
  }
  return (
    <div className="grid gap-1">
      <UrlLine parts={parts} />
      <UrlWarnings parts={parts} />
      {parts.query.length > 0 ? <Query query={parts.query} /> : null}
      {parts.normalized ? (
        <p className="text-sm text-text3">
          Written as <SafeText text={url} oneLine mono />
        </p>
      ) : null}
    </div>
  );
}

function UrlLine({ parts }: { parts: UrlParts }) {
  return (
    <p className="exact mono">
      <span className={parts.scheme === "https" ? "text-text3" : "text-stop"}>{parts.scheme}://</span>
      {parts.user ? (
        <span className="text-stop">
          <SafeText text={parts.user} oneLine />@
        </span>
      ) : null}
      <span className="text-text2">{parts.subdomain}</span>
      <strong className="font-bold">{parts.site}</strong>
      {parts.port ? <span>:{parts.port}</span> : null}
      <span className="text-text2">
        <SafeText text={parts.path} oneLine />
      </span>
      {parts.fragment ? (
        <span className="text-text3">
          #<SafeText text={parts.fragment} oneLine />
        </span>
      ) : null}
    </p>
  );
}

function UrlWarnings({ parts }: { parts: UrlParts }) {
  return (
    <>
      {parts.displayHost ? (
        <p className="text-sm text-stop">
          The host is written in Punycode. It displays as <SafeText text={parts.displayHost} oneLine mono />
        </p>
      ) : null}
      {parts.user ? (
        <p className="text-sm text-stop">The part before @ is a user name. The site is {parts.site}.</p>
      ) : null}
      {parts.scheme === "https" ? null : <p className="text-sm text-stop">Not encrypted on its way.</p>}
      {parts.isAddress ? <p className="text-sm text-wait">The host is a bare address, not a name.</p> : null}
    </>
  );
}

function Query({ query }: { query: UrlParts["query"] }) {
  return (
    <dl className="facts mt-1" aria-label="Query">
      {keyed(query).map(({ key, item: [name, value] }) => (
        <div key={key} className="contents">
          <dt>
            <SafeText text={name} oneLine mono />
          </dt>
          <dd>{value === "" ? <i className="text-text3">empty text</i> : <SafeText text={value} oneLine mono />}</dd>
        </div>
      ))}
    </dl>
  );
}
