/** Upstream variables that have no effect here, and why; a name ending in `*` stands for all with that prefix. */
const REASONS: Record<string, string> = {
  "GOTRUE_COOKIE_*": "no session is kept in a cookie of this service",
  "GOTRUE_CORS_*": "PGRST_SERVER_CORS_ALLOWED_ORIGINS says which origins may call",
  GOTRUE_DB_AUTOMIGRATE: "the schema has to be there",
  GOTRUE_DB_CLEANUP_ENABLED: "what is over is always cleaned up",
  GOTRUE_DB_CONN_MAX_IDLE_TIME: "the pool decides how long a connection is kept",
  GOTRUE_DB_CONN_MAX_LIFETIME: "the pool decides how long a connection is kept",
  GOTRUE_DB_HEALTH_CHECK_PERIOD: "a connection is checked when it is used",
  GOTRUE_DB_MAX_IDLE_POOL_SIZE: "the pool decides how long a connection is kept",
  GOTRUE_DB_MIGRATIONS_PATH: "the schema has to be there",
  GOTRUE_ENABLE_SIGNUP: "GOTRUE_DISABLE_SIGNUP is meant",
  "GOTRUE_EXPERIMENTAL_*": "it is an experiment of the original",
  "GOTRUE_INDEX_WORKER_*": "the indexes come with the schema",
  GOTRUE_JWT_ADMIN_GROUP_NAME: "GOTRUE_JWT_ADMIN_ROLES says who is an admin",
  GOTRUE_LOG_FILE: "the log goes to the standard output",
  GOTRUE_LOG_SQL: "statements are not logged",
  GOTRUE_MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS: "an address has to be confirmed first",
  "GOTRUE_MAILER_EMAIL_VALIDATION_*": "an address is valid once its mailbox has answered",
  GOTRUE_MAILER_EXTERNAL_HOSTS: "links always lead to API_EXTERNAL_URL",
  "GOTRUE_MAILER_TEST_OTP*": "every mail's code is made at random",
  GOTRUE_MAX_VERIFIED_FACTORS: "GOTRUE_MFA_MAX_VERIFIED_FACTORS is meant",
  "GOTRUE_METRICS_*": "no metrics are exported",
  GOTRUE_MFA_ENABLED: "each kind of second factor has a switch of its own",
  GOTRUE_OPERATOR_TOKEN: "the token of an admin role is what opens the admin endpoints",
  "GOTRUE_PROFILER_*": "there is no profiler",
  "GOTRUE_SECURITY_DATABASE_ENCRYPTION_*": "SEALING_KEY seals what must not be read in the database",
  GOTRUE_SESSION_KEY: "no session is kept in a cookie of this service",
  GOTRUE_SESSIONS_TAGS: "sessions have no tags",
  GOTRUE_SMTP_HEADERS: "mails have no headers of their own",
  GOTRUE_SMTP_LOGGING_ENABLED: "failed mails are always logged, and others never",
  "GOTRUE_TRACING_*": "no traces are exported",
  "GOTRUE_WEBHOOK_*": "the hooks have taken the place of webhooks",
  PGRST_DB_PIPELINE_MODE: "the statements of a request always go in one round trip",
  PGRST_DB_TIMEZONE_ENABLED: "a time zone is always taken from the request",
  PGRST_DB_USE_LEGACY_GUCS: "the settings of PostgreSQL 13 and older are no longer made",
  PGRST_DB_WARNINGS_ENABLED: "notices of the database are not answered",
  "PGRST_JWT_CACHE_*":
    "verified tokens are always kept, within 12 MB, and their times checked at each request",
  PGRST_SERVER_OTEL_ENABLED: "no traces are exported",
};

/** Why a variable has no effect; null if it is not listed. */
export function whyWithoutEffect(variable: string): string | null {
  const isNamed = (name: string) =>
    name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : variable === name;
  return Object.entries(REASONS).find(([name]) => isNamed(name))?.[1] ?? null;
}
