import * as v from "valibot";
import { REGION, REGION_RULE } from "#backend/configuration/storage-settings.ts";
import { mailAddress } from "#domain/people/mail-address.ts";
import { parseEvery } from "./backup-settings.ts";
import { ERROR_REPORTS_VARIABLES } from "./error-reports-settings.ts";
import { TRACING_VARIABLES } from "./tracing-settings.ts";

const PLACEHOLDER_SITE_URL = "https://values.example";
const SECRET_LENGTH = 32;

const text = v.pipe(
  v.string(),
  v.trim(),
  v.nonEmpty("must not be blank"),
  v.maxLength(100, "must have 100 characters at most"),
);

const matching = (pattern: RegExp, rule: string) => v.pipe(v.string(), v.regex(pattern, rule));

/** With no more digits than the maximum has. */
const wholeNumber = (min: number, max: number, rule = `must be a whole number from ${min} to ${max}`) =>
  v.pipe(
    matching(new RegExp(`^\\d{1,${String(max).length}}$`), rule),
    v.transform(Number),
    v.minValue(min, rule),
    v.maxValue(max, rule),
  );

const address = (rule: string, ...protocols: string[]) =>
  v.pipe(
    v.string(),
    v.check((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), rule),
  );

/** How a password is written in an address. */
export const SIGNS_RULE = "with %23 for # and %2F for / in the password";
const SMTP_RULE = `must be an address such as smtps://user:password@host:465, ${SIGNS_RULE}`;
const ORIGIN_RULE = "must be an address such as https://values.example, without a login, path or query";
const origin = v.pipe(
  address(ORIGIN_RULE, "http:", "https:"),
  v.check((value) => URL.parse(value)?.href === `${URL.parse(value)?.origin}/`, ORIGIN_RULE),
  v.transform((value) => new URL(value).origin),
);

const webUrl = address("must be an address that begins with https:// or http://", "http:", "https:");
export const databaseUrl = address(
  `must be an address such as postgres://user:password@host:5432/database, ${SIGNS_RULE}`,
  "postgres:",
  "postgresql:",
);
const mailbox = mailAddress("must be an email address");
const region = matching(REGION, REGION_RULE);
const onOrOff = v.picklist(["on", "off"], 'must be "on" or "off"');
const anyPort = wholeNumber(0, 65_535);

const ROWS_RULE = "must be a whole number of at least 5000, because an import of items returns that many";
const SEALING_RULE = `must have at least ${SECRET_LENGTH} characters, or be several such keys separated by commas`;

/** Each message completes a sentence that starts with the variable's name; only variables that are read are listed. */
export const Environment = v.object({
  PORT: v.optional(anyPort, "3000"),
  HOST: v.optional(v.string()),
  WORKERS: v.optional(wholeNumber(1, 64)),
  DATA_DIR: v.optional(v.string(), "data"),
  DATABASE_URL: v.optional(databaseUrl),
  DATABASE_DIRECT_URL: v.optional(databaseUrl),
  DATABASE_READ_URL: v.optional(databaseUrl),
  DATABASE_READ_MAX_LAG: v.optional(
    wholeNumber(1, 9999, "must be a whole number of seconds from 1 to 9999"),
    "5",
  ),
  SITE_URL: v.optional(origin, PLACEHOLDER_SITE_URL),
  SITE_NAME: v.optional(text, "Fruit Values"),
  GAME_NAME: v.optional(text, "Blox Fruits"),
  GAME_COMPANY: v.optional(text, "Gamer Robot Inc."),
  SUPABASE_URL: v.optional(webUrl),
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
      address(SMTP_RULE, "smtp:", "smtps:"),
      v.check((value) => URL.parse(value)?.hostname !== "", SMTP_RULE),
    ),
  ),
  MAIL_FROM: v.optional(mailbox),
  AUTH_AUTOCONFIRM_EMAIL: v.optional(v.picklist(["true", "false"], 'must be "true" or "false"')),
  SMS_HOOK_URL: v.optional(webUrl),
  SMS_HOOK_SECRET: v.optional(
    matching(
      /^v1,whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
      "must be v1,whsec_ and a key of 24 bytes or more in base64",
    ),
  ),
  CLIENT_ADDRESS_HEADER: v.optional(
    matching(/^[A-Za-z0-9-]+$/, "must be the name of a header such as x-forwarded-for"),
  ),
  REQUEST_ID_HEADER: v.optional(
    matching(/^[A-Za-z0-9-]+$/, "must be the name of a header such as x-request-id"),
  ),
  PGRST_DB_MAX_ROWS: v.optional(wholeNumber(5_000, 999_999_999, ROWS_RULE), "5000"),
  RATING_MIN_ACCOUNT_AGE: v.optional(wholeNumber(0, 999_999_999, "must be a whole number of seconds"), "0"),
  AGE_LIMIT: v.optional(
    v.pipe(v.picklist(["13", "16", "18"], "must be 13, 16 or 18"), v.transform(Number)),
    "13",
  ),
  CHAT_NEW_ACCOUNT_HOURS: v.optional(
    wholeNumber(0, 720, "must be a whole number of hours, 720 at most"),
    "0",
  ),
  VALUES_LARGE_CHANGE_PERCENT: v.optional(
    wholeNumber(1, 1000, "must be a whole number of percent from 1 to 1000"),
    "25",
  ),
  VALUES_DEAR_ITEMS: v.optional(wholeNumber(0, 9999), "10"),
  VALUES_NEW_EDITOR_CHANGES: v.optional(wholeNumber(0, 9999), "20"),
  EDITORS_WEBHOOK_URL: v.optional(address("must be an address that begins with https://", "https:")),
  AVATAR_UPLOADS: v.optional(onOrOff, "off"),
  CHAT_LANGUAGES: v.optional(
    v.pipe(
      matching(/^[a-z]{2,3}(,[a-z]{2,3})*$/, "must be short names of languages such as en,es"),
      v.transform((list) => list.split(",")),
    ),
    "en",
  ),
  SOCIAL_X_URL: v.optional(webUrl, "https://x.com/"),
  SOCIAL_GITHUB_URL: v.optional(webUrl, "https://github.com/"),
  SOCIAL_DISCORD_URL: v.optional(webUrl, "https://discord.com/"),
  CAPTCHA_SITE_KEY: v.optional(
    matching(/^[\w.-]{1,100}$/, "must be the key that the captcha's maker gave the site"),
  ),
  CONTACT_EMAIL: v.optional(mailbox),
  CONTACT_DELIVERY: v.optional(
    v.picklist(["none", "database", "email"], 'must be "none", "database" or "email"'),
    "none",
  ),
  METRICS_PORT: v.optional(anyPort),
  METRICS_HOST: v.optional(v.string(), "127.0.0.1"),
  BACKUP_EVERY: v.optional(
    v.pipe(v.string(), v.transform(parseEvery), v.number("must be a length of time such as 24h, 30m or 7d")),
  ),
  BACKUP_KEEP: v.optional(wholeNumber(1, 9999), "7"),
  BACKUP_TO: v.optional(v.string()),
  BACKUP_S3_REGION: v.optional(region),
  BACKUP_S3_ENDPOINT: v.optional(webUrl),
  WAL_ARCHIVE_TO: v.optional(v.string()),
  WAL_ARCHIVE_WAIT: v.optional(onOrOff, "on"),
  ACCESS_LOG: v.optional(onOrOff, "off"),
  ...TRACING_VARIABLES,
  ...ERROR_REPORTS_VARIABLES,
  OFFLINE_COPY: v.optional(onOrOff, "on"),
});

export type Values = v.InferOutput<typeof Environment>;
