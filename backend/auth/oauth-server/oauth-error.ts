import type { Endpoint, Reply } from "../requests/call.ts";

/** Error codes of the token endpoint (RFC 6749 §5.2, RFC 8707 §2). */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "unauthorized_client"
  | "unsupported_grant_type";

/** An error in OAuth's format, for applications' client libraries. */
export class OAuthError extends Error {
  override name = "OAuthError";
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Converts OAuth errors to OAuth's response format; rethrows all others. */
export function inOAuthWords(endpoint: Endpoint): Endpoint {
  return async (call, service) => {
    try {
      return await endpoint(call, service);
    } catch (cause) {
      if (cause instanceof OAuthError) return toReply(cause);
      throw cause;
    }
  };
}

function toReply({ code, message }: OAuthError): Reply {
  const isClient = code === "invalid_client";
  return {
    status: isClient ? 401 : 400,
    body: { error: code, error_description: message },
    ...(isClient && { headers: { "www-authenticate": 'Basic realm="oauth"' } }),
  };
}
