import type { AuthError } from "../../auth-error.ts";
import type { Reply } from "../../requests/call.ts";
import { redirect } from "../../requests/redirect.ts";

const DENIED: ReadonlySet<string> = new Set([
  "signup_disabled",
  "user_banned",
  "provider_email_needs_verification",
]);

/** Redirects with the error: in the query for servers, in the fragment for pages. */
export function redirectToSite(address: string, { status, code, message }: AuthError): Reply {
  const error = DENIED.has(code) ? "access_denied" : status >= 500 ? "server_error" : "invalid_request";
  const params = { error, error_code: code, error_description: message };
  return redirect(address, { query: params, fragment: params });
}
