import * as v from "valibot";
import { validationFailed } from "../../auth-error.ts";

const shortText = v.pipe(v.string(), v.maxLength(2_000));
const texts = v.pipe(v.array(shortText), v.maxLength(50));
const mapping = v.record(shortText, shortText);

/** Fields that can also be changed later. */
const changeable = {
  name: v.nullish(shortText),
  client_id: v.nullish(shortText),
  client_secret: v.nullish(shortText),
  acceptable_client_ids: v.nullish(texts),
  scopes: v.nullish(texts),
  custom_claims_allowlist: v.nullish(texts),
  pkce_enabled: v.nullish(v.boolean()),
  attribute_mapping: v.nullish(mapping),
  authorization_params: v.nullish(mapping),
  enabled: v.nullish(v.boolean()),
  email_optional: v.nullish(v.boolean()),
  issuer: v.nullish(shortText),
  discovery_url: v.nullish(shortText),
  skip_nonce_check: v.nullish(v.boolean()),
  authorization_url: v.nullish(shortText),
  token_url: v.nullish(shortText),
  userinfo_url: v.nullish(shortText),
  jwks_uri: v.nullish(shortText),
};
export const Changes = v.object(changeable);
export const Created = v.object({
  ...changeable,
  provider_type: v.nullish(shortText),
  identifier: v.nullish(shortText),
});
export type Fields = Partial<v.InferOutput<typeof Created>>;

export const isType = (type: unknown) => type === "oidc" || type === "oauth2";

export function requireComplete(fields: Fields): void {
  if (!isType(fields.provider_type))
    throw validationFailed("provider_type must be either 'oauth2' or 'oidc'");
  if (!fields.identifier) throw validationFailed("identifier is required");
  requirePrefix(fields.identifier);
  if (!/^custom:[a-z0-9][a-z0-9:-]{0,42}$/.test(fields.identifier)) {
    throw validationFailed("identifier may have lowercase letters, digits, hyphens and colons, 50 at most");
  }
  for (const name of ["name", "client_id", "client_secret"] as const) {
    if (!fields[name]) throw validationFailed(`${name} is required`);
  }
  if (fields.provider_type === "oidc") {
    if (!fields.issuer) throw validationFailed("issuer is required for OIDC providers");
    return;
  }
  for (const name of ["authorization_url", "token_url", "userinfo_url"] as const) {
    if (!fields[name]) throw validationFailed(`${name} is required for OAuth2 providers`);
  }
}

const RESERVED =
  /^(client_id|client_secret|redirect_uri|response_type|state|code_challenge.*|code_verifier|nonce)$/;

/**
 * Upstream's, without `email_verified`: a provider that does not speak OpenID Connect may have another name for it, and
 * only an operator can map it. None of the others would have any effect.
 */
const PROTECTED =
  /^(id|aud|role|app_metadata|created_at|updated_at|confirmed_at|(email|phone)_confirmed_at|phone_verified|banned_until|is_super_admin)$/;

export function refuseReserved({ authorization_params: params, attribute_mapping: mapping }: Fields): void {
  const reserved = Object.keys(params ?? {}).find((name) => RESERVED.test(name));
  if (reserved) throw validationFailed(`Cannot override reserved OAuth parameter: ${reserved.slice(0, 50)}`);
  const target = Object.keys(mapping ?? {}).find((name) => PROTECTED.test(name));
  if (target) throw validationFailed(`Cannot map to protected system field: ${target}`);
}

export function requirePrefix(identifier: string): void {
  if (identifier.startsWith("custom:")) return;
  throw validationFailed(
    `identifier must start with 'custom:' prefix, e.g. 'custom:${identifier.slice(0, 50)}'`,
  );
}
