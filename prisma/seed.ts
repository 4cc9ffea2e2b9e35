/** What runs beside the server in a demo. */
export type DemoServices = {
  readonly echoUrl: string;
  readonly mailboxUrl: string;
  readonly smtp: { readonly host: string; readonly port: number; readonly user: string; readonly password: string };
};

export type DemoPerson = { readonly email: string; readonly password: string; readonly token: string };
export type DemoAgent = { readonly id: string; readonly key: string };

/** `demo.json`: how people and scripts go on from a fresh demo. */
export type DemoFile = {
  readonly url: string;
  readonly organizationId: string;
  readonly owner: DemoPerson;
  readonly admin: DemoPerson;
  readonly approver: DemoPerson;
  readonly agentOwner: DemoPerson;
  readonly member: DemoPerson;
  readonly auditor: DemoPerson;
  readonly agent: DemoAgent;
  readonly connections: { readonly mail: string; readonly web: string };
  readonly echoUrl: string;
  readonly mailboxUrl: string;
  readonly other: { readonly organizationId: string; readonly owner: DemoPerson; readonly agent: DemoAgent };
};

/** Fills an empty database with the demo's organizations. `url` is where people open the web app. */
export async function seedDemo(_services: DemoServices & { readonly url: string }): Promise<DemoFile> {
  throw new Error("The demo has no content yet.");
}
