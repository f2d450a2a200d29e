import * as v from "valibot";
import { type AuthError, validationFailed } from "../auth-error.ts";

const METHODS = ["client_secret_basic", "client_secret_post", "none"];
const GRANTS = ["authorization_code", "refresh_token"];
const MAX_URIS = 10;
const MAX_URI = 2048;
const MAX_NAME = 1024;

const text = v.nullish(v.string());
const list = v.nullish(v.array(v.string()));

/** Body of a registration, or of a change to one (RFC 7591 §2). */
export const ApplicationBody = v.object({
  client_name: text,
  client_uri: text,
  logo_uri: text,
  redirect_uris: list,
  grant_types: list,
  client_type: text,
  token_endpoint_auth_method: text,
});

export type ApplicationFields = v.InferOutput<typeof ApplicationBody>;

/** Columns as stored; absent ones stay unchanged. */
export type ApplicationColumns = Partial<
  Record<
    | "client_name"
    | "client_uri"
    | "logo_uri"
    | "redirect_uris"
    | "grant_types"
    | "client_type"
    | "token_endpoint_auth_method",
    string
  >
>;

/** Validates a registration and fills in defaults. @throws AuthError 400 */
export function readRegistration(fields: ApplicationFields): Required<ApplicationColumns> {
  const method = fields.token_endpoint_auth_method || null;
  const inferred = method === "none" ? "public" : "confidential";
  const type = fields.client_type || inferred;
  if (type !== "public" && type !== "confidential") {
    throw refused("client_type must be 'public' or 'confidential'");
  }
  if (fields.redirect_uris == null) throw refused("redirect_uris is required", "invalid_redirect_uri");
  return {
    client_name: "",
    client_uri: "",
    logo_uri: "",
    redirect_uris: "",
    grant_types: GRANTS.join(","),
    token_endpoint_auth_method: type === "public" ? "none" : "client_secret_basic",
    ...readChange({ ...fields, grant_types: fields.grant_types?.length ? fields.grant_types : null }, type),
    client_type: type,
  };
}

/** The columns named in a change. @throws AuthError 400 */
export function readChange(fields: ApplicationFields, type: string): ApplicationColumns {
  const {
    client_name: name,
    client_uri: uri,
    logo_uri: logo,
    redirect_uris: uris,
    grant_types: grants,
  } = fields;
  const method = fields.token_endpoint_auth_method || null;
  if (method !== null) requireMethod(method, type);
  return {
    ...(name != null && { client_name: readName(name) }),
    ...(uri != null && { client_uri: readWebAddress("client_uri", uri) }),
    ...(logo != null && { logo_uri: readWebAddress("logo_uri", logo) }),
    ...(uris != null && { redirect_uris: readRedirectUris(uris) }),
    ...(grants != null && { grant_types: readGrants(grants) }),
    ...(method !== null && { token_endpoint_auth_method: method }),
  };
}

function requireMethod(method: string, type: string): void {
  if (!METHODS.includes(method)) {
    throw refused(`token_endpoint_auth_method must be one of: ${METHODS.join(", ")}`);
  }
  if ((method === "none") !== (type === "public")) {
    throw refused(`token_endpoint_auth_method '${method}' is not valid for client_type '${type}'`);
  }
}

/** Users read the name before they consent, so it must not contain invisible characters. */
function readName(name: string): string {
  if ([...name].length > MAX_NAME) throw refused(`client_name cannot exceed ${MAX_NAME} characters`);
  // Within an emoji they are part of what is seen.
  if (/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/v.test(name.replaceAll(/\p{RGI_Emoji}/gv, "")))
    throw refused("client_name holds unseen characters");
  return name.trim();
}

function readWebAddress(member: string, address: string): string {
  if (address === "") return "";
  if (address.length > MAX_URI) throw refused(`${member} cannot exceed ${MAX_URI} characters`);
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw refused(`${member} must be a valid URL`);
  }
  return address;
}

function readGrants(grants: readonly string[]): string {
  if (grants.length === 0) throw refused("grant_types cannot be empty");
  if (!grants.every((grant) => GRANTS.includes(grant))) {
    throw refused("grant_types must only contain 'authorization_code' and/or 'refresh_token'");
  }
  return [...new Set(grants)].join(",");
}

function readRedirectUris(uris: readonly string[]): string {
  if (uris.length === 0) throw refused("redirect_uris cannot be empty", "invalid_redirect_uri");
  if (uris.length > MAX_URIS)
    throw refused(`redirect_uris cannot exceed ${MAX_URIS} items`, "invalid_redirect_uri");
  for (const uri of uris) {
    const fault = findRedirectFault(uri);
    if (fault) throw refused(`invalid redirect_uri '${uri.slice(0, 100)}': ${fault}`, "invalid_redirect_uri");
  }
  return [...new Set(uris)].join(",");
}

/** Schemes that browsers execute, read or render, rather than passing the URL to an application. */
const DANGEROUS =
  /^(javascript|data|file|filesystem|vbscript|about|blob|view-source|intent|ws|wss|ftp|mailto|tel|sms):$/;
const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

/** Null if codes may be sent there: an https URL, a loopback address, or an app's custom scheme. */
function findRedirectFault(uri: string): string | null {
  if (uri.length > MAX_URI) return `longer than ${MAX_URI} characters`;
  // Stored as a comma-separated list.
  if (/[,\s\p{Cc}\\]/u.test(uri))
    return "holds a comma, a space or a backslash, which must be percent-encoded";
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(uri) || !URL.canParse(uri)) return "must have scheme and host";
  const { protocol, hostname, username, password } = new URL(uri);
  if (uri.includes("#")) return "fragment not allowed in redirect URI";
  if (username || password) return "must not name a user";
  if (DANGEROUS.test(protocol))
    return `scheme '${protocol.slice(0, -1)}' is not allowed for security reasons`;
  if (protocol === "http:" && !LOOPBACK.includes(hostname)) return "HTTP scheme only allowed for localhost";
  return null;
}

/** An error in this service's format, which also contains the members of RFC 7591 §3.2.2. */
function refused(message: string, error = "invalid_client_metadata"): AuthError {
  const refusal = validationFailed(message);
  Object.assign(refusal.more, { error, error_description: message });
  return refusal;
}
