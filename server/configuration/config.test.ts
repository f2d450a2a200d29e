import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { startNotes } from "./start-notes.ts";

test.each([
  [{ PORT: "abc" }, "PORT must be a whole number from 0 to 65535."],
  [{ WORKERS: "0" }, "WORKERS must be a whole number from 1 to 64."],
  [{ WORKERS: "many" }, "WORKERS must be a whole number from 1 to 64."],
  [
    { SENTRY_DSN: "https://sentry.example/1" },
    /^SENTRY_DSN must be an address such as https:\/\/key@host\/1/,
  ],
  [{ SENTRY_ENVIRONMENT: "my place" }, "SENTRY_ENVIRONMENT must be a word of 64 characters at most."],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector" }, /^OTEL_EXPORTER_OTLP_ENDPOINT must be an address/],
  [
    { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    'OTEL_EXPORTER_OTLP_PROTOCOL must be "http/protobuf" or "http/json".',
  ],
  [
    { OTEL_EXPORTER_OTLP_HEADERS: "abc" },
    "OTEL_EXPORTER_OTLP_HEADERS must be written as name=value,name=value.",
  ],
  ...["a=b,c", "a=b=c", "a=b, =c"].map((attributes): [Record<string, string>, string] => [
    { OTEL_RESOURCE_ATTRIBUTES: attributes },
    "OTEL_RESOURCE_ATTRIBUTES must be written as name=value,name=value.",
  ]),
  [{ S3_BUCKET: "A B" }, "S3_BUCKET must be the name of a bucket, such as my-files."],
  [{ S3_BUCKET: "s3://files" }, "S3_BUCKET must be the name of a bucket, such as my-files."],
  [
    { S3_BUCKET: "files", S3_REGION: "eu central" },
    "S3_REGION must be the name of a region such as eu-central-1.",
  ],
  [{ BACKUP_S3_REGION: "eu/central" }, "BACKUP_S3_REGION must be the name of a region such as eu-central-1."],
  [{ METRICS_PORT: "3000" }, "METRICS_PORT must not be the same as PORT."],
  [{ PORT: "9464", HOST: "127.0.0.1", METRICS_PORT: "9464" }, "METRICS_PORT must not be the same as PORT."],
  [{ SITE_URL: "https://me:word@values.example" }, /^SITE_URL must be an address such as https:/],
  [{ SITE_URL: "https://values.example/?a=b" }, /^SITE_URL must be an address such as https:/],
  [{ OTEL_TRACES_SAMPLER: "some" }, /^OTEL_TRACES_SAMPLER must be one of always_on, /],
  [{ OTEL_TRACES_SAMPLER_ARG: "1.5" }, "OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1."],
  [{ PORT: "70000" }, "PORT must be a whole number from 0 to 65535."],
  [{ DATABASE_URL: "mysql://x" }, /^DATABASE_URL must be an address such as postgres:/],
  [{ DATABASE_DIRECT_URL: "postgres://db/site" }, /^DATABASE_DIRECT_URL is set, so DATABASE_URL must name/],
  [
    { DATABASE_DIRECT_URL: "postgres://db", SUPABASE_URL: "https://a.example", SUPABASE_ANON_KEY: "k" },
    /^DATABASE_DIRECT_URL and SUPABASE_URL are both set/,
  ],
  [
    { DATABASE_READ_URL: "postgres://db/site" },
    /^DATABASE_READ_URL is set, so DATABASE_URL must name its primary/,
  ],
  [
    { DATABASE_READ_URL: "postgres://db", SUPABASE_URL: "https://a.example", SUPABASE_ANON_KEY: "k" },
    /^DATABASE_READ_URL and SUPABASE_URL are both set/,
  ],
  [{ DATABASE_READ_MAX_LAG: "0" }, "DATABASE_READ_MAX_LAG must be a whole number of seconds from 1 to 9999."],
  [{ SITE_URL: "values.example" }, /^SITE_URL must be an address such as https:/],
  [{ SITE_URL: "https://values.example/site" }, /^SITE_URL .* without a login, path or query\.$/],
  [{ SITE_NAME: "x".repeat(101) }, "SITE_NAME must have 100 characters at most."],
  [{ SITE_NAME: " " }, "SITE_NAME must not be blank."],
  [
    { BACKUP_EVERY: "24h", BACKUP_TO: "S3://bucket/place" },
    "BACKUP_TO must be a folder, or an address such as s3://bucket/place.",
  ],
  [{ BACKUP_EVERY: "24h" }, "BACKUP_EVERY is set, so BACKUP_TO must be set as well."],
  [
    { BACKUP_EVERY: "often", BACKUP_TO: "/mnt" },
    "BACKUP_EVERY must be a length of time such as 24h, 30m or 7d.",
  ],
  [
    { BACKUP_EVERY: "24h", BACKUP_TO: "/mnt", DATABASE_URL: "postgres://a@localhost/b" },
    /^BACKUP_EVERY and DATABASE_URL are both set/,
  ],
  [{ SUPABASE_URL: "https://abc.example" }, "SUPABASE_URL is set, so SUPABASE_ANON_KEY must be set as well."],
  [{ SUPABASE_ANON_KEY: "key" }, "SUPABASE_ANON_KEY is set, so SUPABASE_URL must be set as well."],
  [{ SUPABASE_URL: "ftp://abc", SUPABASE_ANON_KEY: "key" }, /^SUPABASE_URL must be/],
  [{ JWT_SECRET: "short" }, "JWT_SECRET must have at least 32 characters."],
  [
    { SEALING_KEY: `${"x".repeat(32)},short` },
    "SEALING_KEY must have at least 32 characters, or be several such keys separated by commas.",
  ],
  [{ SOCIAL_X_URL: "javascript:alert(1)" }, /^SOCIAL_X_URL must be/],
  [{ SMTP_URL: "https://mail" }, /^SMTP_URL must be an address such as smtps:/],
  [{ SMTP_URL: "smtp://" }, /^SMTP_URL must be an address such as smtps:/],
  [{ SMTP_URL: "smtps://user:pa#ss@mail" }, /^SMTP_URL must be an address such as .*, with %23 for # /],
  [{ MAIL_FROM: "nobody" }, "MAIL_FROM must be an email address."],
  [{ AUTH_AUTOCONFIRM_EMAIL: "yes" }, 'AUTH_AUTOCONFIRM_EMAIL must be "true" or "false".'],
  [{ SMS_HOOK_URL: "https://sms.example" }, "SMS_HOOK_URL is set, so SMS_HOOK_SECRET must be set as well."],
  [{ SMS_HOOK_SECRET: "short" }, /^SMS_HOOK_SECRET must be v1,whsec_/],
  [{ CLIENT_ADDRESS_HEADER: "a b" }, /^CLIENT_ADDRESS_HEADER must be the name of a header/],
  [{ GOTRUE_JWT_EXP: "soon" }, "GOTRUE_JWT_EXP must be a whole number from 60 to 604800."],
  [{ GOTRUE_SESSIONS_TIMEBOX: "soon" }, /^GOTRUE_SESSIONS_TIMEBOX must be a length of time/],
  [
    { TENANT_MAX_CONCURRENT_USERS: "many" },
    "TENANT_MAX_CONCURRENT_USERS must be a whole number from 1 to 1000000.",
  ],
  [{ CONTACT_EMAIL: "nobody" }, "CONTACT_EMAIL must be an email address."],
  [{ CONTACT_DELIVERY: "pigeon" }, 'CONTACT_DELIVERY must be "none", "database" or "email".'],
  [{ CONTACT_DELIVERY: "email" }, "CONTACT_DELIVERY is email, so CONTACT_EMAIL must be set as well."],
  [
    {
      CONTACT_DELIVERY: "email",
      CONTACT_EMAIL: "a@example.org",
      SUPABASE_URL: "https://a.example",
      SUPABASE_ANON_KEY: "k",
    },
    "CONTACT_DELIVERY is email, which a hosted backend cannot do: set database.",
  ],
  [
    { EDITORS_WEBHOOK_URL: "http://hooks.example/secret" },
    "EDITORS_WEBHOOK_URL must be an address that begins with https://.",
  ],
  [{ PGRST_DB_MAX_ROWS: "1000" }, /^PGRST_DB_MAX_ROWS must be a whole number of at least 5000/],
  [{ CHAT_LANGUAGES: "english" }, "CHAT_LANGUAGES must be short names of languages such as en,es."],
  [{ RATING_MIN_ACCOUNT_AGE: "-1" }, "RATING_MIN_ACCOUNT_AGE must be a whole number of seconds."],
])("a wrong value is refused by one sentence that names the variable: %j", (environment, message) => {
  expect(() => readConfig(environment as Record<string, string>)).toThrow(message);
});

test("a secret that is refused is not repeated", () => {
  expect(() => readConfig({ DATABASE_URL: "mysql://root:hunter2@db" })).toThrow(/^(?!.*hunter2)/);
});

test("accounts are confirmed at once until mail can be sent, unless the operator says otherwise", () => {
  const SMTP_URL = "smtps://mail.example";
  expect(readConfig({}).mail.autoconfirm).toBe(true);
  expect(readConfig({ SMTP_URL }).mail.autoconfirm).toBe(false);
  expect(readConfig({ SMTP_URL, AUTH_AUTOCONFIRM_EMAIL: "true" }).mail.autoconfirm).toBe(true);
  expect(readConfig({ AUTH_AUTOCONFIRM_EMAIL: "false" }).mail.autoconfirm).toBe(false);
  const hook = {
    GOTRUE_HOOK_SEND_EMAIL_ENABLED: "true",
    GOTRUE_HOOK_SEND_EMAIL_URI: "pg-functions://postgres/hooks/send_email",
  };
  expect(readConfig(hook).mail.autoconfirm).toBe(false);
});

test("the operator's port may have the site's number on another address", () => {
  const set = { PORT: "9464", HOST: "10.0.0.1", METRICS_PORT: "9464" };
  expect(readConfig(set).metrics).toEqual({ port: 9464, host: "127.0.0.1" });
  expect(readConfig({ PORT: "0", METRICS_PORT: "0" }).metrics?.port).toBe(0);
});

test("nothing has to be set", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    port: 3000,
    ratingMinAccountAge: 0,
    chatLanguages: ["en"],
    siteUrlIsPlaceholder: true,
    development: false,
  });
  expect(config.site).toMatchObject({
    siteName: "Fruit Values",
    gameName: "Blox Fruits",
    siteUrl: "https://values.example",
  });
  expect(config.hosted).toBeUndefined();
});

test("the start tells in a line each which addresses are missing", () => {
  const notes = (environment: Record<string, string>) => startNotes(readConfig(environment));
  expect(notes({})).toEqual([
    "SITE_URL is not set: links for search engines use the placeholder https://values.example.",
    "CONTACT_DELIVERY and CONTACT_EMAIL are not set: messages sent at /contact reach nobody.",
  ]);
  const SITE_URL = "https://values.example.org";
  expect(notes({ SITE_URL, CONTACT_EMAIL: "crew@values.example.org" })).toEqual([]);
  expect(notes({ SITE_URL, CONTACT_DELIVERY: "database" })).toEqual([]);
  const mailed = { SITE_URL, CONTACT_DELIVERY: "email", CONTACT_EMAIL: "crew@values.example.org" };
  expect(notes({ ...mailed, SMTP_URL: "smtp://mail.example.org" })).toEqual([]);
  expect(notes(mailed)).toEqual([
    "CONTACT_DELIVERY is email, and SMTP_URL is not set: contact messages are stored but not mailed.",
  ]);
  const hosted = { SUPABASE_URL: "https://project.example.org", SUPABASE_ANON_KEY: "key" };
  expect(notes({ SITE_URL, CONTACT_DELIVERY: "database", ...hosted })).toEqual([
    expect.stringMatching(/views of items are not counted.*no news by mail/),
  ]);
  const shared = { SITE_URL, CONTACT_DELIVERY: "database", DATABASE_URL: "postgres://database.example/site" };
  expect(notes(shared)).toEqual([expect.stringContaining("uploaded files are stored on this machine")]);
  expect(notes({ ...shared, S3_BUCKET: "files", S3_REGION: "eu-central-1" })).toEqual([]);
});

test("an empty value is no value, as a compose file passes it", () => {
  expect(readConfig({ PORT: "", SITE_URL: "", SUPABASE_URL: "" })).toMatchObject({
    port: 3000,
    siteUrlIsPlaceholder: true,
  });
});

test("the canonical address is kept without a slash at its end", () => {
  expect(readConfig({ SITE_URL: "https://values.example.org/" }).site.siteUrl).toBe(
    "https://values.example.org",
  );
});

test(".env.example and the operator's page list exactly what is read", () => {
  const example = [...readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z\d_]+)=/gm)].map(
    ([, name]) => name,
  );
  const isOfAuth = (name: string | undefined) => name?.startsWith("GOTRUE_");
  const read = readConfig({}).variables.filter((name) => !isOfAuth(name));
  expect(example.filter((name) => !isOfAuth(name)).toSorted()).toEqual(read.toSorted());
  // The auth service's own table has many more variables, of which the example shows a few.
  const shown = example.filter(isOfAuth).map((name) => [name, "true"]);
  expect(readConfig(Object.fromEntries(shown)).unread).toEqual([]);
  const [, table = ""] = readFileSync("docs/operations.md", "utf8").split("## Settings");
  const [settings = ""] = table.split("\n## ");
  for (const name of read) expect(settings).toContain(`\`${name}\``);
});

test("a variable that is misspelled or not supported is named, with the one that may be meant", () => {
  const { unread } = readConfig({
    SMPT_URL: "smtp://localhost",
    GOTRUE_JWT_EXPP: "60",
    GOTRUE_EXTERNAL_IOS_BUNDLE_ID: "app",
    PGRST_DB_MAXROWS: "5000",
    TENANT_MAX_CONCURENT_USERS: "5",
    S3_BUKET: "files",
    GOTRUE_JWT_EXP: "60",
    GOTRUE_UNSET: "",
    PATH: "/bin",
    HOME: "/root",
  });
  const meant = unread.map((sentence) =>
    /^(\w+) is set, and nothing reads it: (?:is (\w+) meant)?/.exec(sentence)?.slice(1),
  );
  expect(meant).toEqual([
    ["GOTRUE_EXTERNAL_IOS_BUNDLE_ID", undefined],
    ["GOTRUE_JWT_EXPP", "GOTRUE_JWT_EXP"],
    ["PGRST_DB_MAXROWS", "PGRST_DB_MAX_ROWS"],
    ["S3_BUKET", "S3_BUCKET"],
    ["SMPT_URL", "SMTP_URL"],
    ["TENANT_MAX_CONCURENT_USERS", "TENANT_MAX_CONCURRENT_USERS"],
  ]);
});

test("attributes of traces are accepted as OpenTelemetry reads them", () => {
  const OTEL_RESOURCE_ATTRIBUTES = "app.kubernetes.io/name=x, a=b,";
  expect(() => readConfig({ OTEL_RESOURCE_ATTRIBUTES })).not.toThrow();
});

test("traces are sent where an endpoint is set, and nowhere once they are switched off", () => {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318" };
  expect(readConfig({}).tracing).toBeUndefined();
  expect(readConfig({ ...to, OTEL_SDK_DISABLED: "true" }).tracing).toBeUndefined();
  expect(
    readConfig({ ...to, OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.1" }).tracing,
  ).toEqual({
    protocol: "http/protobuf",
    sampler: "traceidratio",
    ratio: 0.1,
  });
});
