import { createHmac, randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK, type KeyLike, SignJWT } from "jose";

/** What an installation is for: a workspace, or a whole Enterprise Grid. */
export type Installation = { readonly team: string | null; readonly enterprise: string | null };

type Code = {
  readonly kind: "install" | "sign_in";
  readonly redirectUri: string;
  readonly userId: string;
  readonly nonce: string;
  readonly installation: Installation;
};
type Body = Readonly<Record<string, unknown>>;

const KEY_ID = "demo-key";
export const DEMO_CLIENT_ID = "1000000000.1000000000";

/** The client secret of the demo's app, known to whoever knows its signing secret. */
export const demoClientSecret = (signingSecret: string): string =>
  createHmac("sha256", signingSecret).update("client secret").digest("hex");

export type OAuthOptions = {
  readonly signingSecret: string;
  /** The only place that people are sent back to. */
  readonly appUrl: string;
};

/** Slack's sign-in and installation, as far as an app sees them: codes that are good once, and signed id tokens. */
export class DemoSlackOAuth {
  readonly #options: OAuthOptions;
  readonly #codes = new Map<string, Code>();
  #keys: Promise<{ publicKey: KeyLike; privateKey: KeyLike }> | undefined;
  /** Changes the claims of the next id token, for tests. */
  nextClaims: Body = {};
  /** Signs the next id token with a key that is none of ours, for tests. */
  signsWithAnotherKey = false;

  constructor(options: OAuthOptions) {
    this.#options = options;
  }

  /** A person says yes at one of Slack's pages; answers where their browser goes then. Null where the page is none. */
  agree(address: URL, userId: string, installation: Installation): string | null {
    const { searchParams: query, pathname } = address;
    const redirectUri = query.get("redirect_uri") ?? "";
    if (query.get("client_id") !== DEMO_CLIENT_ID || !redirectUri.startsWith(`${this.#options.appUrl}/`)) return null;
    const kind = pathname === "/oauth/v2/authorize" ? "install" : "sign_in";
    const code = randomBytes(16).toString("hex");
    this.#codes.set(code, { kind, redirectUri, userId, nonce: query.get("nonce") ?? "", installation });
    return `${redirectUri}?${new URLSearchParams({ code, state: query.get("state") ?? "" })}`;
  }

  /** Takes a code that is good for this; null for any other. */
  redeem(kind: Code["kind"], params: Body): Code | null {
    const { client_id: id, client_secret: secret, code, redirect_uri: redirectUri } = params;
    const found = this.#codes.get(String(code));
    this.#codes.delete(String(code));
    const isApp = id === DEMO_CLIENT_ID && secret === demoClientSecret(this.#options.signingSecret);
    return isApp && found?.kind === kind && found.redirectUri === redirectUri ? found : null;
  }

  async idToken(issuer: string, team: string, { userId, nonce }: Code): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iat: now,
      exp: now + 300,
      sub: userId,
      nonce,
      "https://slack.com/user_id": userId,
      "https://slack.com/team_id": team,
      iss: issuer,
      aud: DEMO_CLIENT_ID,
      ...this.nextClaims,
    };
    this.nextClaims = {};
    const { privateKey } = this.signsWithAnotherKey ? await generateKeyPair("RS256") : await this.#pair();
    this.signsWithAnotherKey = false;
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KEY_ID }).sign(privateKey);
  }

  /** The keys with which anybody verifies an id token. */
  async keys(): Promise<{ keys: JWK[] }> {
    const { publicKey } = await this.#pair();
    return { keys: [{ ...(await exportJWK(publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" }] };
  }

  #pair() {
    this.#keys ??= generateKeyPair("RS256");
    return this.#keys;
  }
}
