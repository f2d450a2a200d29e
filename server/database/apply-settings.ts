import { withClient } from "#backend/postgres/with-client.ts";
import { linkBase, type ServerConfig } from "../configuration/config.ts";

/** Writes settings from environment variables to where the database's rules read them (P20, P33, P46, P47). */
export async function applySettings(url: string, config: ServerConfig): Promise<void> {
  const { site, secondPerson, mail } = config;
  const text = `
    update private.settings
    set rating_min_account_age = make_interval(secs => $1), stores_contact_messages = $2, site_name = $3,
      contact_mail_to = $4, age_limit = $5, new_account_hours = $6, takes_uploads = $7, site_url = $8,
      large_change_percent = $9, dear_items = $10, new_editor_changes = $11`;
  const values = [
    config.ratingMinAccountAge,
    site.contactDelivery !== "none",
    site.siteName,
    site.contactDelivery === "email" ? site.contactEmail : null,
    site.ageLimit,
    config.newAccountHours,
    site.takesUploads,
    // Base of the links in mails to parents; without a mail server no such mail is sent.
    mail.smtpUrl ? linkBase(config) : null,
    secondPerson.largePercent,
    secondPerson.dearItems,
    secondPerson.newEditorChanges,
  ];
  await withClient(url, "settings", (client) => client.query(text, values));
}
