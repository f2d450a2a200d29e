// The site's own paths besides pages, files and services.

/** The change stream, to which open pages subscribe. */
export const LIVE_PATH = "/live";

/** Receives browsers' reports of content security policy violations; named in `app/content-security-policy.ts`. */
export const POLICY_REPORTS_PATH = "/policy-reports";

/** The operation report for admins. */
export const OPERATOR_REPORT_PATH = "/operator-report";

/** Health checks for monitoring. */
export const HEALTH_PATHS: readonly string[] = ["/healthz", "/livez", "/readyz"];
