import { asEmail, asHttp } from "./call-shape";
import { plural } from "./format";
import { urlParts } from "./url-parts";

type Call = { action: string; arguments: unknown; seenTargets?: readonly string[] };

export type Headline = {
  /** Continues "invoice-bot wants to …". */
  wants: string;
  /** The row of a list. */
  title: string;
  /** Whom or what it reaches; an agent's text, so for SafeText only. */
  target: string;
  /** What the button does: "Approve and …". */
  act: string;
  /** The thing that is rejected: "Reject …". */
  noun: string;
};

/** What a call would do, in words made from its facts and never from what the agent says about it. */
export function headlineOf(call: Call): Headline {
  if (call.action === "email.send") return emailHeadline(call) ?? otherHeadline(call);
  if (call.action === "http.request") return httpHeadline(call) ?? otherHeadline(call);
  return otherHeadline(call);
}

function emailHeadline(call: Call): Headline | undefined {
  const mail = asEmail(call.arguments);
  if (!mail) return undefined;
  const everyone = [...mail.to, ...mail.cc, ...mail.bcc];
  const people = plural(everyone.length, "address", "addresses");
  const seen = call.seenTargets;
  const fresh = seen ? everyone.filter((address) => !seen.includes(address.toLowerCase())).length : 0;
  const news = newness(fresh, everyone.length);
  const more = everyone.length > 1 ? ` +${everyone.length - 1}` : "";
  return {
    wants: `send an e-mail to ${people}${news}`,
    title: `E-mail to ${people}`,
    target: `${everyone[0] ?? "nobody"}${more}  ${mail.subject}`,
    act: `send e-mail to ${people}`,
    noun: "e-mail",
  };
}

function newness(fresh: number, all: number): string {
  if (fresh === 0) return "";
  if (fresh < all) return `, ${fresh} of them new`;
  return all === 1 ? ", a new one" : ", all new";
}

function httpHeadline(call: Call): Headline | undefined {
  const http = asHttp(call.arguments);
  if (!http) return undefined;
  const parts = urlParts(http.url);
  if (!parts || !/^[A-Z]{1,10}$/i.test(http.method)) return undefined;
  const method = http.method.toUpperCase();
  const host = `${parts.subdomain}${parts.site}${parts.port ? `:${parts.port}` : ""}`;
  const reads = method === "GET" || method === "HEAD";
  return {
    wants: reads ? `fetch from ${host}` : `send ${method} to ${host}`,
    title: `${method} ${reads ? "from" : "to"} ${host}`,
    target: parts.path,
    act: reads ? `fetch from ${host}` : `send ${method} to ${host}`,
    noun: `${method} request`,
  };
}

function otherHeadline({ action, arguments: args }: Call): Headline {
  const count = typeof args === "object" && args !== null ? Object.keys(args).length : 1;
  const known = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(action) ? action : "an action";
  return {
    wants: `run ${known}`,
    title: `Run ${known}`,
    target: plural(count, "argument"),
    act: `run ${known}`,
    noun: "request",
  };
}
