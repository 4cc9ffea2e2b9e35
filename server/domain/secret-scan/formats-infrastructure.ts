import { type FormatRow, formatsOf, hasValidChecksum, type SecretFormat } from "@/server/domain/secret-scan/format";

// Shapes as the vendors document them for secret scanners.
const ROWS: readonly FormatRow[] = [
  ["Alibaba Cloud access key id", "LTAI", "[A-Za-z0-9]{16,20}(?![A-Za-z0-9])", "lone"],
  ["Tencent Cloud secret id", "AKID", "[A-Za-z0-9]{32}(?![A-Za-z0-9])", "lone"],
  ["Yandex Cloud API key", "AQVN", "[A-Za-z0-9_-]{35,38}(?![A-Za-z0-9_-])", "lone"],
  ["Google API key", "AIza", "[A-Za-z0-9_-]{35}"],
  ["Google OAuth token", "ya29.", "[A-Za-z0-9_-]{20}", "lone"],
  ["Google OAuth client secret", "GOCSPX-", "[A-Za-z0-9_-]{28}"],
  ["Google OAuth refresh token", "1//0", "[A-Za-z0-9_-]{40}", "lone"],
  ["Azure storage key", "AccountKey=", "[A-Za-z0-9+/]{86}=="],
  ["Azure shared access key", "SharedAccessKey=", "[A-Za-z0-9+/]{43}="],
  ["Azure shared access signature", "sig=", "[A-Za-z0-9+/%]{43,60}(?:%3[Dd]|=)"],
  ["DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}"],
  ["Heroku API key", "HRKU-", "[A-Za-z0-9_-]{36}"],
  ["Cloudflare origin key", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{146}", "lone"],
  ["Fly.io token", "fm2_", "[A-Za-z0-9+/]{60}", "lone"],
  ["Netlify token", "nfp_", "[A-Za-z0-9_]{36}", "lone"],
  ["Supabase token", "sbp_", "[a-f0-9]{40}", "lone"],
  ["Supabase secret key", "sb_secret_", "[A-Za-z0-9_-]{20}", "lone"],
  ["PlanetScale token", "pscale_tkn_ pscale_pw_ pscale_oauth_", "[A-Za-z0-9_=.-]{32}"],
  ["Databricks token", "dapi", "[a-f0-9]{32}(?![A-Za-z0-9])", "lone"],
  [
    "Tailscale key",
    "tskey-api- tskey-auth- tskey-client- tskey-scim- tskey-webhook-",
    "[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20}",
  ],
  ["HashiCorp Vault token", "hvs. hvb. hvr.", "[A-Za-z0-9_-]{24}", "lone"],
  ["Pulumi token", "pul-", "[a-f0-9]{40}", "lone"],
  ["Doppler token", "dp.pt. dp.ct. dp.st. dp.sa. dp.scim. dp.audit.", "[A-Za-z0-9_.-]{40}", "lone"],
  ["1Password service account token", "ops_eyJ", "[A-Za-z0-9+/=]{100}"],
  ["age secret key", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"],
  [
    "GitLab token",
    "glpat- gldt- glrt- glcbt- glptt- glft- glimt- gloas- glsoat- glagent- glffct-",
    "[A-Za-z0-9_.-]{20}",
  ],
  ["Bitbucket token", "ATBB", "[A-Za-z0-9]{24,32}(?![A-Za-z0-9])", "lone"],
  ["Atlassian token", "ATATT3xFfG ATCTT3xFfG", "[A-Za-z0-9_=-]{60}"],
  ["PyPI token", "pypi-", "[A-Za-z0-9_-]{50}"],
  ["RubyGems key", "rubygems_", "[a-f0-9]{48}"],
  ["crates.io token", "cio", "(?=[A-Za-z]{0,31}\\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])", "lone"],
  ["NuGet key", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])", "lone"],
  ["Docker Hub token", "dckr_pat_ dckr_oat_", "[A-Za-z0-9_-]{27}"],
  ["Hugging Face token", "hf_ api_org_", "[A-Za-z0-9]{34}(?![A-Za-z0-9])", "lone"],
  ["JFrog key", "AKCp", "[A-Za-z0-9]{60}", "lone"],
  ["CircleCI token", "CCIPAT_", "[A-Za-z0-9]{22}_[a-f0-9]{40}"],
  ["Buildkite token", "bkua_", "[a-z0-9]{40}", "lone"],
  ["SonarQube token", "squ_ sqp_ sqa_", "[a-f0-9]{40}", "lone"],
  ["Sentry token", "sntrys_ sntryu_", "[A-Za-z0-9+/=_-]{40}"],
  ["Grafana token", "glsa_", "[A-Za-z0-9]{32}_[a-f0-9]{8}", "lone"],
  ["Grafana Cloud token", "glc_", "[A-Za-z0-9+/]{32}", "lone"],
  ["New Relic key", "NRAK-", "[A-Z0-9]{27}", "lone"],
  ["Prefect key", "pnu_", "[A-Za-z0-9]{36}(?![A-Za-z0-9])", "lone"],
  ["Inngest signing key", "signkey-prod- signkey-test- signkey-branch-", "[a-f0-9]{32}"],
  ["Countersign key", "csk_agent_ csk_user_ csk_setup_ csk_", "[A-Za-z0-9_]{40}"],
  ["GitHub fine-grained token", "github_pat_", "[A-Za-z0-9_]{36}"],
  ["MongoDB Atlas secret", "mdb_sa_sk_", "[A-Za-z0-9_-]{40}"],
  ["E2B key", "e2b_", "[a-f0-9]{40}", "lone"],
];

const checked = (kind: string, prefixes: string): SecretFormat[] =>
  formatsOf([[kind, prefixes, "[A-Za-z0-9]{36}"]]).map((format) => ({ ...format, verify: hasValidChecksum }));

const PRIVATE_KEY: readonly SecretFormat[] = [
  { kind: "private key", anchor: "-----begin ", pattern: /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY/iy },
  { kind: "private key", anchor: "putty-user-key-file-", pattern: /PuTTY-User-Key-File-\d/y },
  // The first bytes of the same keys without their frame: OpenSSH, PKCS #1, PKCS #8 and SEC 1.
  { kind: "private key", anchor: "b3blbnnzac1rzxktdje", pattern: /b3BlbnNzaC1rZXktdjE/y },
  { kind: "private key", anchor: "openssh-key-v1", pattern: /openssh-key-v1[^a-z]{0,8}(?:none|aes|chacha)/y },
  { kind: "private key", anchor: "iba", pattern: /(?<=MII[CEJ][A-Za-z0-9+/]{2})IBA{2}K[BC][A-Za-z0-9+/]{40}/y },
  { kind: "private key", anchor: "ibadanbgkqhkig9w0baqefaasc", pattern: /IBADANBgkqhkiG9w0BAQEFAASC/y },
  { kind: "private key", anchor: "ageambmgbyqgsm49", pattern: /AgEAMBMGByqGSM49/y },
];

const OTHERS: readonly SecretFormat[] = [
  { kind: "npm token", anchor: "_authtoken=", bodyAt: 11, pattern: /_authToken="?[A-Za-z0-9+/=_-]{16}/y },
  {
    kind: "Azure client secret",
    anchor: "q~",
    pattern: /(?<=(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\d)Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/y,
  },
  {
    kind: "Terraform Cloud token",
    anchor: ".atlasv1.",
    pattern: /(?<=[A-Za-z0-9]{14})\.atlasv1\.[A-Za-z0-9_-]{60}/y,
  },
  {
    kind: "1Password secret key",
    anchor: "a3-",
    pattern: /(?<![A-Za-z0-9-])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/y,
  },
];

const AWS_KEY_ID: readonly SecretFormat[] = ["akia", "asia", "abia", "acca", "a3t"].map((anchor) => ({
  kind: "AWS access key id",
  anchor,
  bodyAt: 4,
  pattern: /(?<![A-Z0-9])(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])/y,
}));

/** Clouds, code hosts, registries and build systems; private keys; our own keys. */
export const INFRASTRUCTURE_FORMATS: readonly SecretFormat[] = [
  ...formatsOf(ROWS),
  ...checked("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_"),
  ...checked("npm token", "npm_"),
  ...AWS_KEY_ID,
  ...PRIVATE_KEY,
  ...OTHERS,
];
