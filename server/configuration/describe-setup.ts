import type { Setup } from "#domain/operation/operation-report.ts";
import type { ServerConfig } from "./config.ts";

/** Words found in sample secrets of manuals and example files. */
const KNOWN = /secret|password|change.?me|example|your-|at-least-32|12345678|abcdefgh/i;
/** Fewest distinct characters; random text of the minimum length has about twenty. */
const FEWEST_CHARACTERS = 10;

/** A summary of the configuration; about secrets it only tells whether they are strong. */
export function describeSetup(config: ServerConfig): Setup {
  const { site, siteUrlIsPlaceholder, hosted, databaseUrl, mail, auth, storage } = config;
  const secrets: [string, string[]][] = [
    ["JWT_SECRET", config.jwtSecret ? [config.jwtSecret] : []],
    ["SEALING_KEY", config.sealingKeys ?? []],
  ];
  return {
    siteAddress: siteUrlIsPlaceholder ? "placeholder" : site.siteUrl.startsWith("https:") ? "https" : "http",
    database: hosted ? "hosted" : databaseUrl ? "own" : "embedded",
    mailArrives: mail.smtpUrl !== undefined || auth.hooks?.sendEmail !== undefined,
    contactArrives: site.contactDelivery !== "none" || Boolean(site.contactEmail),
    knowsVisitors: mail.clientAddressHeader !== undefined,
    sharesFiles: storage.s3 !== null,
    weakSecrets: secrets.flatMap(([name, values]) => (values.some(isWeak) ? [name] : [])),
    processes: config.workers,
  };
}

function isWeak(secret: string): boolean {
  return new Set(secret).size < FEWEST_CHARACTERS || KNOWN.test(secret);
}
