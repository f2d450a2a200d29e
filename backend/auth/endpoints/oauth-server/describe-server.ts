import { issuerOf, mayIdentify } from "../../oauth-server/issuer.ts";
import type { Call, Reply } from "../../requests/call.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { SCOPES } from "../../sessions/scopes.ts";

/**
 * GET /.well-known/oauth-authorization-server (RFC 8414) and /.well-known/openid-configuration (OpenID Connect
 * Discovery): the same document for both. OpenID Connect requires a signing key that others can verify.
 */
export async function describeServer(_: Call, { config, signer }: AuthService): Promise<Reply> {
  const { externalUrl: at } = config;
  const identifies = mayIdentify(signer);
  const body = {
    issuer: issuerOf(config),
    authorization_endpoint: `${at}/oauth/authorize`,
    token_endpoint: `${at}/oauth/token`,
    jwks_uri: `${at}/.well-known/jwks.json`,
    userinfo_endpoint: `${at}/oauth/userinfo`,
    ...(config.oauthRegistration && { registration_endpoint: `${at}/oauth/clients/register` }),
    scopes_supported: SCOPES.filter((scope) => scope !== "openid" || identifies),
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: identifies ? [signer.algorithm] : [],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    claims_supported: [
      ...["sub", "aud", "iss", "exp", "iat", "auth_time", "nonce", "email", "email_verified", "phone_number"],
      ...["phone_number_verified", "name", "picture", "preferred_username", "updated_at"],
    ],
  };
  return { status: 200, body, headers: { "cache-control": "public, max-age=600" } };
}
