import * as v from "valibot";

const DSN_RULE = "must be an address such as https://key@host/1, as Sentry shows it for a project";

/** The variable names that Sentry's own clients read. */
export const ERROR_REPORTS_VARIABLES = {
  SENTRY_DSN: v.optional(v.pipe(v.string(), v.check(isDsn, DSN_RULE))),
  SENTRY_ENVIRONMENT: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,64}$/, "must be a word of 64 characters at most")),
    "production",
  ),
};

export type ErrorReportsSettings = { dsn: string; environment: string };

type Values = v.InferOutput<ReturnType<typeof v.object<typeof ERROR_REPORTS_VARIABLES>>>;

export function readErrorReports({ SENTRY_DSN: dsn, SENTRY_ENVIRONMENT: environment }: Values): {
  errorReports?: ErrorReportsSettings;
} {
  return dsn === undefined ? {} : { errorReports: { dsn, environment } };
}

function isDsn(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, pathname } = new URL(text);
  return /^https?:$/.test(protocol) && username !== "" && /\/\d+$/.test(pathname);
}
