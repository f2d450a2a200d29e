// What the site answers beside its pages, its files and the services.

/** Where open pages subscribe. */
export const LIVE_PATH = "/live";

/** Where browsers tell what a page's content security policy made them refuse; `app/content-security-policy.ts` names it. */
export const POLICY_REPORTS_PATH = "/policy-reports";

/** Where admins read how the site goes. */
export const OPERATOR_REPORT_PATH = "/operator-report";

/** Where machines ask whether it goes. */
export const HEALTH_PATHS: readonly string[] = ["/healthz", "/livez", "/readyz"];
