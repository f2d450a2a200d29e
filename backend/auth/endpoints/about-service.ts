import type { Call, Reply } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

/** Other identity providers, none of which is supported yet. */
const PROVIDERS =
  "apple azure bitbucket discord facebook figma fly github gitlab google kakao " +
  "keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos zoom";

/** GET /settings: what a sign-in page may offer. */
export async function describeSettings(_: Call, { config }: AuthService): Promise<Reply> {
  const body = {
    external: {
      ...Object.fromEntries(PROVIDERS.split(" ").map((name) => [name, false])),
      email: config.emailEnabled,
      phone: config.phoneEnabled,
      anonymous_users: config.anonymousUsers,
    },
    disable_signup: config.disableSignup,
    mailer_autoconfirm: config.mailerAutoconfirm,
    phone_autoconfirm: config.smsAutoconfirm,
    sms_provider: "",
    saml_enabled: false,
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
