import * as v from "valibot";
import { parseEvery } from "./backup-settings.ts";
import { ERROR_REPORTS_VARIABLES } from "./error-reports-settings.ts";
import { TRACING_VARIABLES } from "./tracing-settings.ts";

const PLACEHOLDER_SITE_URL = "https://values.example";
const SECRET_LENGTH = 32;

const text = (rule: string) => v.pipe(v.string(), v.trim(), v.maxLength(100, rule));
const webUrl = (rule: string) =>
  v.pipe(
    v.string(),
    v.check((value) => hasProtocol(value, "http:", "https:"), rule),
  );
const origin = (rule: string) =>
  v.pipe(
    webUrl(rule),
    v.check((value) => URL.canParse(value) && new URL(value).pathname === "/", rule),
    v.transform((value) => new URL(value).origin),
  );
const databaseUrl = v.pipe(
  v.string(),
  v.check(
    (value) => hasProtocol(value, "postgres:", "postgresql:"),
    "must be an address such as postgres://user:password@host:5432/database",
  ),
);
const PORT_RULE = "must be a whole number from 0 to 65535";
const WORKERS_RULE = "must be a whole number from 1 to 64";
const SECONDS_RULE = "must be a whole number of seconds";
const LAG_RULE = "must be a whole number of seconds from 1 to 9999";
const PERCENT_RULE = "must be a whole number of percent from 1 to 1000";
const COUNT_RULE = "must be a whole number from 0 to 9999";
const HOURS_RULE = "must be a whole number of hours, 720 at most";
const ORIGIN_RULE = "must be an address such as https://values.example, without a path";
const LINK_RULE = "must be an address that begins with https:// or http://";
const ROWS_RULE = "must be a whole number from 5000 on: an import of items gives back as many";
const SEALING_RULE = `must have at least ${SECRET_LENGTH} characters, or be several such keys parted by commas`;
const NAME_RULE = "must have 100 characters at most";

/** Each message is what follows the variable's name; only what something reads is listed. */
export const Environment = v.object({
  PORT: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,5}$/, PORT_RULE), v.transform(Number), v.maxValue(65_535, PORT_RULE)),
    "3000",
  ),
  HOST: v.optional(v.string()),
  WORKERS: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,2}$/, WORKERS_RULE),
      v.transform(Number),
      v.minValue(1, WORKERS_RULE),
      v.maxValue(64, WORKERS_RULE),
    ),
  ),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: v.optional(databaseUrl),
  DATABASE_DIRECT_URL: v.optional(databaseUrl),
  DATABASE_READ_URL: v.optional(databaseUrl),
  DATABASE_READ_MAX_LAG: v.optional(
    v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, LAG_RULE), v.transform(Number)),
    "5",
  ),
  SITE_URL: v.optional(origin(ORIGIN_RULE), PLACEHOLDER_SITE_URL),
  SITE_NAME: v.optional(text(NAME_RULE), "Fruit Values"),
  GAME_NAME: v.optional(text(NAME_RULE), "Blox Fruits"),
  GAME_COMPANY: v.optional(text(NAME_RULE), "Gamer Robot Inc."),
  SUPABASE_URL: v.optional(webUrl(LINK_RULE)),
  SUPABASE_ANON_KEY: v.optional(v.string()),
  JWT_SECRET: v.optional(
    v.pipe(v.string(), v.minLength(SECRET_LENGTH, `must have at least ${SECRET_LENGTH} characters`)),
  ),
  SEALING_KEY: v.optional(
    v.pipe(
      v.string(),
      v.transform((value) => value.split(",").map((key) => key.trim())),
      v.check((keys) => keys.every((key) => key.length >= SECRET_LENGTH), SEALING_RULE),
    ),
  ),
  SMTP_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (value) => hasProtocol(value, "smtp:", "smtps:"),
        "must be an address such as smtps://user:password@host:465",
      ),
    ),
  ),
  MAIL_FROM: v.optional(v.pipe(v.string(), v.email("must be an e-mail address"))),
  AUTH_AUTOCONFIRM_EMAIL: v.optional(v.picklist(["true", "false"], 'must be "true" or "false"')),
  SMS_HOOK_URL: v.optional(webUrl(LINK_RULE)),
  SMS_HOOK_SECRET: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^v1,whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
        "must be v1,whsec_ and a key of 24 bytes or more in base64",
      ),
    ),
  ),
  CLIENT_ADDRESS_HEADER: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, "must be the name of a header such as x-forwarded-for")),
  ),
  REQUEST_ID_HEADER: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, "must be the name of a header such as x-request-id")),
  ),
  PGRST_DB_MAX_ROWS: v.optional(
    v.pipe(v.string(), v.regex(/^\d{4,9}$/, ROWS_RULE), v.transform(Number), v.minValue(5_000, ROWS_RULE)),
    "5000",
  ),
  RATING_MIN_ACCOUNT_AGE: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,9}$/, SECONDS_RULE), v.transform(Number)),
    "0",
  ),
  AGE_LIMIT: v.optional(
    v.pipe(v.string(), v.regex(/^(13|16|18)$/, "must be 13, 16 or 18"), v.transform(Number)),
    "13",
  ),
  CHAT_NEW_ACCOUNT_HOURS: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/, HOURS_RULE), v.transform(Number), v.maxValue(720, HOURS_RULE)),
    "0",
  ),
  VALUES_LARGE_CHANGE_PERCENT: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, PERCENT_RULE),
      v.transform(Number),
      v.minValue(1, PERCENT_RULE),
      v.maxValue(1000, PERCENT_RULE),
    ),
    "25",
  ),
  VALUES_DEAR_ITEMS: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,4}$/, COUNT_RULE), v.transform(Number)),
    "10",
  ),
  VALUES_NEW_EDITOR_CHANGES: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,4}$/, COUNT_RULE), v.transform(Number)),
    "20",
  ),
  EDITORS_WEBHOOK_URL: v.optional(
    v.pipe(
      v.string(),
      v.check((value) => hasProtocol(value, "https:"), "must be an address that begins with https://"),
    ),
  ),
  AVATAR_UPLOADS: v.optional(v.picklist(["on", "off"], 'must be "on" or "off"'), "off"),
  CHAT_LANGUAGES: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[a-z]{2,3}(,[a-z]{2,3})*$/, "must be short names of languages such as en,es"),
      v.transform((list) => list.split(",")),
    ),
    "en",
  ),
  SOCIAL_X_URL: v.optional(webUrl(LINK_RULE), "https://x.com/"),
  SOCIAL_GITHUB_URL: v.optional(webUrl(LINK_RULE), "https://github.com/"),
  SOCIAL_DISCORD_URL: v.optional(webUrl(LINK_RULE), "https://discord.com/"),
  CAPTCHA_SITE_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/, "must be the key that the captcha's maker gave the site")),
  ),
  CONTACT_EMAIL: v.optional(v.pipe(v.string(), v.email("must be an e-mail address"))),
  CONTACT_DELIVERY: v.optional(
    v.picklist(["none", "database", "email"], 'must be "none", "database" or "email"'),
    "none",
  ),
  METRICS_PORT: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,5}$/, PORT_RULE), v.transform(Number), v.maxValue(65_535, PORT_RULE)),
  ),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  BACKUP_EVERY: v.optional(
    v.pipe(v.string(), v.transform(parseEvery), v.number("must be a length of time such as 24h, 30m or 7d")),
  ),
  BACKUP_KEEP: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[1-9]\d{0,3}$/, "must be a whole number from 1 to 9999"),
      v.transform(Number),
    ),
    "7",
  ),
  BACKUP_TO: v.optional(v.string()),
  BACKUP_S3_REGION: v.optional(v.string()),
  BACKUP_S3_ENDPOINT: v.optional(webUrl(LINK_RULE)),
  WAL_ARCHIVE_TO: v.optional(v.string()),
  WAL_ARCHIVE_WAIT: v.optional(v.picklist(["on", "off"], 'must be "on" or "off"'), "on"),
  ACCESS_LOG: v.optional(v.picklist(["on", "off"], 'must be "on" or "off"'), "off"),
  ...TRACING_VARIABLES,
  ...ERROR_REPORTS_VARIABLES,
  OFFLINE_COPY: v.optional(v.picklist(["on", "off"], 'must be "on" or "off"'), "on"),
});

export type Values = v.InferOutput<typeof Environment>;

function hasProtocol(value: string, ...protocols: string[]): boolean {
  return URL.canParse(value) && protocols.includes(new URL(value).protocol);
}
