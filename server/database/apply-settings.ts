import { withClient } from "#backend/postgres/with-client.ts";
import type { ServerConfig } from "../configuration/config.ts";

/** What the operator decides by environment variables and the database has to know (P20, P33, P46, P47). */
export type DatabaseSettings = {
  /** How old, in seconds, an account must be before it may rate; `RATING_MIN_ACCOUNT_AGE`, 0 by default. */
  ratingMinAccountAge?: number;
  /** Whether contact messages are kept in the database; `CONTACT_DELIVERY=database`. */
  storesContactMessages?: boolean;
  /** Who gets contact messages by mail; `CONTACT_EMAIL` with `CONTACT_DELIVERY=email`. */
  contactMailTo?: string;
  /** What the site is called, so that nobody else is; `SITE_NAME`. */
  siteName?: string;
  /** Who is younger needs a parent's permission to write freely; `AGE_LIMIT`, 13 by default (P46). */
  ageLimit?: number;
  /** How many hours a new account has quick talk only; `CHAT_NEW_ACCOUNT_HOURS`, 0 by default. */
  newAccountHours?: number;
  /** Whether people may upload pictures of their own; `AVATAR_UPLOADS` (P47). */
  takesUploads?: boolean;
  /** Where links in mails to parents lead. */
  siteUrl?: string;
  secondPerson?: ServerConfig["secondPerson"];
};

/** Writes the operator's settings where the database's rules read them. What is not given gets its default. */
export async function applySettings(url: string, settings: DatabaseSettings): Promise<void> {
  const text = `
    update private.settings
    set rating_min_account_age = make_interval(secs => $1), stores_contact_messages = $2, site_name = $3,
      contact_mail_to = $4, age_limit = $5, new_account_hours = $6, takes_uploads = $7, site_url = $8,
      large_change_percent = $9, dear_items = $10, new_editor_changes = $11`;
  const values = [
    settings.ratingMinAccountAge ?? 0,
    settings.storesContactMessages ?? false,
    settings.siteName ?? null,
    settings.contactMailTo ?? null,
    settings.ageLimit ?? 13,
    settings.newAccountHours ?? 0,
    settings.takesUploads ?? false,
    settings.siteUrl ?? null,
    settings.secondPerson?.largePercent ?? 25,
    settings.secondPerson?.dearItems ?? 10,
    settings.secondPerson?.newEditorChanges ?? 20,
  ];
  await withClient(url, "settings", (client) => client.query(text, values));
}
