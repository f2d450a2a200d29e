import type { Setup } from "#domain/operation/operation-report.ts";
import type { ServerConfig } from "./config.ts";

/** Words of examples that stand in handbooks and sample files. */
const KNOWN = /secret|password|change.?me|example|your-|at-least-32|12345678|abcdefgh/i;
/** Random text of the least length has some twenty. */
const FEWEST_CHARACTERS = 10;

/** What an operator's choices come to; it tells of secrets only whether they are any. */
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
