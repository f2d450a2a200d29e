import type { ServerConfig } from "./config.ts";

/** Warnings about missing settings, one line each. */
export function startNotes(config: ServerConfig): string[] {
  const { site, siteUrlIsPlaceholder, databaseUrl, storage, contactMailIsMissing } = config;
  const notes: string[] = [];
  if (config.hosted) {
    notes.push(
      "SUPABASE_URL names a backend elsewhere, in whose database this site runs no background jobs: views of items are not counted, planned sets are not published, and editors get no news by mail or webhook.",
    );
  }
  if (databaseUrl && !storage.s3) {
    notes.push(
      "S3_BUCKET is not set: uploaded files are stored on this machine, out of reach of other machines on this database.",
    );
  }
  if (siteUrlIsPlaceholder) {
    notes.push(`SITE_URL is not set: links for search engines use the placeholder ${site.siteUrl}.`);
  }
  if (site.contactDelivery === "none" && !site.contactEmail) {
    notes.push("CONTACT_DELIVERY and CONTACT_EMAIL are not set: messages sent at /contact reach nobody.");
  }
  if (contactMailIsMissing) {
    notes.push(
      "CONTACT_DELIVERY is email, and SMTP_URL is not set: contact messages are stored but not mailed.",
    );
  }
  return notes;
}
