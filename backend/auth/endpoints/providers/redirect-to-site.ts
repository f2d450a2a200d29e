import type { AuthError } from "../../auth-error.ts";
import type { Reply } from "../../requests/call.ts";

const DENIED: ReadonlySet<string> = new Set([
  "signup_disabled",
  "user_banned",
  "provider_email_needs_verification",
]);

/** Tells the page why nobody is signed in: in the query for servers, in the fragment for pages. */
export function redirectToSite(address: string, { status, code, message }: AuthError): Reply {
  const error = DENIED.has(code) ? "access_denied" : status >= 500 ? "server_error" : "invalid_request";
  return redirectWithError(address, { error, error_code: code, error_description: message });
}

/** @param said what OAuth calls `error` and `error_description` (RFC 6749, §4.1.2.1), and the code of ours if there is one */
export function redirectWithError(address: string, said: Record<string, string>): Reply {
  const url = new URL(address);
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value);
  url.hash = new URLSearchParams({ ...said, sb: "" }).toString();
  return { status: 303, headers: { location: url.href } };
}
