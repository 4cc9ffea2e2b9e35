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
