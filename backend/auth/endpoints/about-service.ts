import { listCustomProviders } from "../providers/custom-providers.ts";
import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

/** The identity providers that the hosted service lists. */
const PROVIDERS =
  "apple azure bitbucket discord facebook figma fly github gitlab google kakao " +
  "keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos zoom";

/** GET /settings: the sign-in methods available. */
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
    // In display order, with display names.
    external_names: on.map(({ id, name }) => ({ id, name })),
    disable_signup: config.disableSignup,
    mailer_autoconfirm: config.mailerAutoconfirm,
    phone_autoconfirm: config.smsAutoconfirm,
    sms_provider: "",
    saml_enabled: config.saml !== null,
    saml_private_key_next_configured: config.saml !== null && config.saml.nextKey !== null,
    passkeys_enabled: config.passkeysEnabled,
  };
  return { status: 200, body };
}

/** GET /health: reports the name and version that clients expect. */
export async function describeHealth(): Promise<Reply> {
  const body = {
    version: "v2.196.0",
    name: "GoTrue",
    description: "GoTrue is a user registration and authentication API",
  };
  return { status: 200, body };
}

/** GET /.well-known/jwks.json: the public keys for verifying access tokens. */
export async function listKeys(_: Call, { signer }: AuthService): Promise<Reply> {
  return { status: 200, body: signer.publicKeys, headers: { "cache-control": "public, max-age=600" } };
}
