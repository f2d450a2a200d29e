import { describeCause } from "#backend/log/describe-cause.ts";
import { logText } from "#backend/log/log-text.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { Reply } from "./call.ts";
import { redirect } from "./redirect.ts";

const DENIED: ReadonlySet<string> = new Set(["signup_disabled", "provider_email_needs_verification"]);

/**
 * Redirects with the error to a page of the site, since the browser must end up somewhere, whatever failed: in the
 * fragment for pages and, unless told otherwise, in the query for servers.
 */
export function redirectRefusal(
  address: string,
  cause: unknown,
  { log }: Pick<AuthService, "log">,
  { inQuery = true } = {},
): Reply {
  const { status, code, message } = toRefusal(cause, log);
  const isDenied = status === 403 || DENIED.has(code);
  const error = isDenied ? "access_denied" : status >= 500 ? "server_error" : "invalid_request";
  const params = { error, error_code: code, error_description: message };
  return redirect(address, { query: inQuery ? params : {}, fragment: params });
}

function toRefusal(cause: unknown, log: AuthService["log"]): AuthError {
  if (cause instanceof AuthError) return cause;
  log(logText`auth: a sign-in by redirect failed: ${describeCause(cause)}`, "error");
  return new AuthError(500, "unexpected_failure", "Unexpected failure, please try again");
}
