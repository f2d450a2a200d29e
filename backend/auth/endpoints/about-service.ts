import { listCustomProviders } from "../providers/custom-providers.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

/** The hosted service's other identity providers. */
const PROVIDERS =
  "apple azure bitbucket discord facebook figma fly github gitlab google kakao " +
  "keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos zoom";

/** GET /settings: what a sign-in page may offer. */
export async function describeSettings(_: Call, { config, database }: AuthService): Promise<Reply> {
  const on = [...config.providers, ...(await listCustomProviders({ config, database }))];
  const body = {
    external: {
      ...Object.fromEntries(PROVIDERS.split(" ").map((name) => [name, false])),
      ...Object.fromEntries(on.map(({ id }) => [id, true])),
      email: config.emailEnabled,
      phone: config.phoneEnabled,
      anonymous_users: config.anonymousUsers,
    },
    // In the order in which they are to be offered, and with the names that people know.
    external_names: on.map(({ id, name }) => ({ id, name })),
    disable_signup: config.disableSignup,
    mailer_autoconfirm: config.mailerAutoconfirm,
    phone_autoconfirm: config.smsAutoconfirm,
    sms_provider: "",
    saml_enabled: config.saml !== null,
    passkeys_enabled: config.passkeysEnabled,
  };
  return { status: 200, body };
}

/** GET /health: named as clients know the service. */
export async function describeHealth(): Promise<Reply> {
  const body = {
    version: "v2.196.0",
    name: "GoTrue",
    description: "GoTrue is a user registration and authentication API",
  };
  return { status: 200, body };
}

/** GET /.well-known/jwks.json: what access tokens are verified with. */
export async function listKeys(_: Call, { signer }: AuthService): Promise<Reply> {
  return { status: 200, body: signer.publicKeys, headers: { "cache-control": "public, max-age=600" } };
}
