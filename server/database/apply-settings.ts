import { Client } from "pg";

/** What the operator decides by environment variables and the database has to know (P20 and P33). */
export type DatabaseSettings = {
  /** How old, in seconds, an account must be before it may rate; `RATING_MIN_ACCOUNT_AGE`, 0 by default. */
  ratingMinAccountAge?: number;
  /** Whether contact messages are kept in the database; `CONTACT_DELIVERY=database`. */
  storesContactMessages?: boolean;
  /** Who gets contact messages by mail; `CONTACT_EMAIL` with `CONTACT_DELIVERY=email`. */
  contactMailTo?: string;
  /** What the site is called, so that nobody else is; `SITE_NAME`. */
  siteName?: string;
};

/** Writes the operator's settings where the database's rules read them. What is not given gets its default. */
export async function applySettings(url: string, settings: DatabaseSettings): Promise<void> {
  const client = new Client({ connectionString: url, application_name: "settings" });
  await client.connect();
  try {
    await client.query(
      `update private.settings
       set rating_min_account_age = make_interval(secs => $1), stores_contact_messages = $2, site_name = $3,
         contact_mail_to = $4`,
      [
        settings.ratingMinAccountAge ?? 0,
        settings.storesContactMessages ?? false,
        settings.siteName ?? null,
        settings.contactMailTo ?? null,
      ],
    );
  } finally {
    await client.end();
  }
}
