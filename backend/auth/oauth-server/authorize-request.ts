import { findRepeated } from "../requests/find-repeated.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import { isScope, parseScopes } from "../sessions/scopes.ts";

/** A validated authorization request; absent parameters are null. */
export type AuthorizeRequest = {
  scope: string;
  state: string | null;
  nonce: string | null;
  resource: string | null;
  codeChallenge: string;
};

/** An error returned to the application's redirect URI (RFC 6749 §4.1.2.1). */
export type AuthorizeFault = { error: string; description: string };

const MAX = { state: 4096, nonce: 255, resource: 2048 } as const;

/** @param mayIdentify whether ID tokens can be signed so that applications can verify them */
export function readAuthorizeRequest(
  query: URLSearchParams,
  { oauthDefaultScope }: Pick<AuthConfig, "oauthDefaultScope">,
  mayIdentify: boolean,
): AuthorizeRequest | AuthorizeFault {
  const fault = findFault(query);
  if (fault) return fault;
  const scopes = parseScopes(query.get("scope") || oauthDefaultScope);
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined || scopes.length === 0) {
    return { error: "invalid_scope", description: `unsupported scope: ${(unknown ?? "").slice(0, 50)}` };
  }
  if (scopes.includes("openid") && !mayIdentify) {
    return { error: "invalid_scope", description: "openid needs a signing key that applications can verify" };
  }
  return {
    scope: scopes.join(" "),
    state: query.get("state") || null,
    nonce: query.get("nonce") || null,
    resource: query.get("resource") || null,
    codeChallenge: query.get("code_challenge") ?? "",
  };
}

function findFault(query: URLSearchParams): AuthorizeFault | null {
  const invalid = (description: string) => ({ error: "invalid_request", description });
  const repeated = findRepeated(query);
  if (repeated !== undefined) return invalid(`${repeated.slice(0, 50)} must not be repeated`);
  for (const [name, value] of query) {
    if (value.includes("\0")) return invalid(`${name.slice(0, 50)} holds a NUL character`);
  }
  for (const [name, most] of Object.entries(MAX)) {
    if ([...(query.get(name) ?? "")].length > most)
      return invalid(`${name} must not exceed ${most} characters`);
  }
  if ((query.get("response_type") || "code") !== "code") {
    return { error: "unsupported_response_type", description: "only response_type=code is supported" };
  }
  if ((query.get("response_mode") || "query") !== "query")
    return invalid("only response_mode=query is supported");
  if (query.get("prompt")?.split(" ").includes("none")) {
    return { error: "login_required", description: "the person is always asked" };
  }
  const challengeFault = findChallengeFault(query.get("code_challenge"), query.get("code_challenge_method"));
  if (challengeFault) return invalid(challengeFault);
  return isResource(query.get("resource"))
    ? null
    : { error: "invalid_target", description: "resource must be an absolute URI without query and fragment" };
}

/**
 * PKCE is required, since an intercepted code could be used otherwise; `plain` does not protect against someone who saw
 * the request.
 */
function findChallengeFault(challenge: string | null, method: string | null): string | null {
  if (!challenge || !method) return "PKCE flow requires both code_challenge and code_challenge_method";
  if (method.toUpperCase() !== "S256") return "code_challenge_method must be 'S256'";
  return /^[A-Za-z0-9_-]{43}$/.test(challenge) ? null : "code_challenge must be a SHA-256 hash in base64url";
}

function isResource(resource: string | null): boolean {
  return !resource || (URL.canParse(resource) && !/[?#]/.test(resource));
}
