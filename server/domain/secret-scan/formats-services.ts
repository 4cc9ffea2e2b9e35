import { type FormatRow, formatsOf, type SecretFormat } from "@/server/domain/secret-scan/format";

const UUID = "[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}";

// Shapes as the vendors document them for secret scanners.
const ROWS: readonly FormatRow[] = [
  ["Slack token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-", "[A-Za-z0-9-]{10}"],
  ["Slack app token", "xapp- xwfp-", "\\d-[A-Z0-9]{8,}-\\d+-[A-Za-z0-9]{20}"],
  [
    "Slack webhook",
    "hooks.slack.com/",
    "(?:services|workflows|triggers)/[A-Za-z0-9]{8,}/[A-Za-z0-9]{8,}/[A-Za-z0-9]{12}",
  ],
  ["Discord webhook", "discord.com/api/webhooks/ discordapp.com/api/webhooks/", "\\d{17,20}/[A-Za-z0-9_-]{60}"],
  ["Teams webhook", "webhook.office.com/webhookb2/", `${UUID}@${UUID}/`],
  ["Zapier webhook", "hooks.zapier.com/hooks/catch/", "\\d{3,}/[A-Za-z0-9]{5}"],
  ["Stripe secret key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", "[A-Za-z0-9]{16}"],
  ["Stripe webhook secret", "whsec_", "[A-Za-z0-9+/=]{24}", "lone"],
  ["Square token", "sq0atp- sq0csp-", "[A-Za-z0-9_-]{22}"],
  ["Square token", "EAAA", "[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])", "lone"],
  ["Facebook token", "EAA", "(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{80}", "lone"],
  ["Braintree token", "access_token$production$ access_token$sandbox$", "[0-9a-z]{16}\\$[0-9a-f]{32}"],
  ["Plaid token", "access-sandbox- access-development- access-production-", UUID],
  ["Flutterwave key", "FLWSECK- FLWSECK_TEST-", "[A-Za-z0-9]{12}"],
  ["EasyPost key", "EZAK EZTK", "[A-Za-z0-9]{54}", "lone"],
  ["Shippo token", "shippo_live_ shippo_test_", "[a-f0-9]{40}"],
  ["Duffel token", "duffel_live_ duffel_test_", "[A-Za-z0-9_-]{43}"],
  ["Shopify token", "shpat_ shpca_ shppa_ shpss_ shpua_", "[A-Za-z0-9]{32}"],
  ["Twilio key", "SK", "[a-f0-9]{32}(?![A-Za-z0-9])", "lone"],
  ["SendGrid key", "SG.", "[A-Za-z0-9_-]{16,32}\\.[A-Za-z0-9_-]{16}", "lone"],
  ["Mailgun key", "key- pubkey-", "(?=[a-z]{0,31}\\d)[a-z0-9]{32}(?![A-Za-z0-9])", "lone"],
  ["Brevo key", "xkeysib- xsmtpsib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["Resend key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{24}(?![A-Za-z0-9])", "lone"],
  ["Mapbox secret token", "sk.eyJ", "[A-Za-z0-9_-]{40}", "lone"],
  ["HubSpot token", "pat-na1- pat-na2- pat-eu1-", UUID],
  ["Typeform token", "tfp_", "[A-Za-z0-9_.=-]{59}", "lone"],
  ["Dropbox token", "sl.", "(?=[A-Za-z_-]{0,60}\\d)[A-Za-z0-9_-]{100}", "lone"],
  ["Linear key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{32}"],
  ["Figma token", "figd_ figo_ figor_", "[A-Za-z0-9_-]{40}", "lone"],
  ["Notion token", "ntn_", "[A-Za-z0-9]{40}", "lone"],
  ["Notion token", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])", "lone"],
  ["Airtable token", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}", "lone"],
  ["Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"],
  ["PostHog key", "phx_", "[A-Za-z0-9]{40}", "lone"],
  ["Segment token", "sgp_", "[A-Za-z0-9]{64}", "lone"],
  ["ReadMe key", "rdme_", "[a-z0-9]{70}", "lone"],
  ["Contentful token", "CFPAT-", "[A-Za-z0-9_-]{43}", "lone"],
  ["Frame.io token", "fio-u-", "[A-Za-z0-9_=-]{60}", "lone"],
  ["Adafruit IO key", "aio_", "[A-Za-z0-9]{28}(?![A-Za-z0-9])", "lone"],
  ["Anthropic key", "sk-ant-", "[A-Za-z0-9_-]{20}"],
  ["OpenAI key", "sk-proj- sk-svcacct- sk-admin-", "[A-Za-z0-9_-]{20}"],
  ["OpenAI key", "sk-", "(?=[A-Za-z]{0,31}\\d)(?=[0-9]{0,31}[A-Za-z])[A-Za-z0-9]{32}", "lone"],
  ["OpenRouter key", "sk-or-v1-", "[a-f0-9]{64}", "lone"],
  ["Langfuse key", "sk-lf-", UUID, "lone"],
  ["xAI key", "xai-", "[A-Za-z0-9]{70}", "lone"],
  ["Groq key", "gsk_", "[A-Za-z0-9]{40}", "lone"],
  ["Replicate token", "r8_", "[A-Za-z0-9]{37}(?![A-Za-z0-9])", "lone"],
  ["Perplexity key", "pplx-", "[A-Za-z0-9]{40}", "lone"],
  ["Pinecone key", "pcsk_", "[A-Za-z0-9]{5,6}_[A-Za-z0-9]{50}", "lone"],
  ["Tavily key", "tvly-", "(?:dev-|prod-)?[A-Za-z0-9]{28}", "lone"],
  ["LangSmith key", "lsv2_pt_ lsv2_sk_", "[a-f0-9]{32}_[a-f0-9]{10}"],
];

const OTHERS: readonly SecretFormat[] = [
  {
    kind: "JSON web token",
    anchor: "eyj",
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,3000}\.[A-Za-z0-9_-]{2,6000}\.[A-Za-z0-9_-]{16}/y,
  },
  { kind: "Telegram bot token", anchor: ":aa", pattern: /(?<=(?<!\d)\d{8,10}):AA[A-Za-z0-9_-]{33}/y },
  { kind: "Mailchimp key", anchor: "-us", pattern: /(?<=(?<![A-Za-z0-9])[a-f0-9]{32})-us\d{1,2}(?!\d)/y },
  {
    kind: "password in a URL",
    anchor: "://",
    // Visible ASCII without what ends an authority; a masked password or a template's variable is none.
    pattern:
      /:\/\/[!"$-.0-9;->A-~]{0,128}:(?!(?:\*+|<[^<>]*>|\$?\{{1,2}[^{}]*\}{1,2}|\[[^[\]]*\]|[xX]+|\$[A-Z_]+|%[A-Z_]+%)@)[!"$-.0->A-~]{3,256}@[A-Za-z0-9[]/y,
  },
];

/** Messaging, payment, office and model services; bearer tokens and passwords in addresses. */
export const SERVICE_FORMATS: readonly SecretFormat[] = [...formatsOf(ROWS), ...OTHERS];
