import { readFileSync } from "node:fs";
import { join } from "node:path";

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The page on which the demo's Slack asks whether an app may be installed, or who somebody is. */
export function consentPage(address: URL, people: readonly string[]): string {
  const isInstall = address.pathname === "/oauth/v2/authorize";
  const options = people.map((id) => `<option>${escaped(id)}</option>`).join("");
  const words = isInstall ? "Install Countersign in this workspace" : "Sign in to Countersign with Slack";
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>The demo's Slack</title><main><h1>${words}</h1><p>This is the demo's own Slack, not Slack's.</p>
<form method="post" action="${escaped(address.pathname + address.search)}"><p><label>You are <select name="user">${options}</select></label></p>
<p><button>Allow</button></p></form></main></html>`;
}

const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  "/": { file: "page.html", type: "text/html" },
  "/page.css": { file: "page.css", type: "text/css" },
  "/page.js": { file: "page.js", type: "text/javascript" },
};

/** The page that shows the channel as a person would see it, and what belongs to it; null for any other address. */
export function channelFile(path: string) {
  const found = Object.hasOwn(FILES, path) ? FILES[path] : undefined;
  if (found === undefined) return null;
  return {
    content: readFileSync(join(process.cwd(), "server", "cli", "demo", "slack-page", found.file)),
    headers: {
      "content-type": `${found.type}; charset=utf-8`,
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  };
}
