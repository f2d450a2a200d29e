import { ARCHIVE_SILENT_AFTER, type Finding, type OperationReport } from "./operation-report.ts";

type Facts = Omit<OperationReport, "findings">;
type Rule = Finding & { applies(facts: Facts): boolean };

const GB = 1024 ** 3;
const HALF_AN_HOUR = 1800;
/** The same factor as in the alert rules. */
const LATE = 1.5;
const SMALL_SHARE = 0.1;

const rule = (
  id: string,
  applies: Rule["applies"],
  title: string,
  todo: string,
  heading: string,
  isGrave = false,
): Rule => ({ id, applies, title, todo, heading, isGrave });

const RULES: readonly Rule[] = [
  rule(
    "database-silent",
    ({ setup, database }) => setup.database !== "hosted" && database === null,
    "The database does not respond",
    "Pages are served from memory in the meantime. See the log for the reason, which usually is a full disk.",
    "When something is wrong",
    true,
  ),
  rule(
    "processes-silent",
    ({ setup, processes }) => processes.length < setup.processes,
    "Some processes do not respond",
    "See the log for whether one ended, and why. Usually there is too little memory: lower WORKERS.",
    "Processes",
    true,
  ),
  rule(
    "disk-small",
    ({ disk }) => disk !== null && (disk.freeBytes < GB || disk.freeBytes < SMALL_SHARE * disk.sizeBytes),
    "The disk is nearly full",
    "Free space on the disk of DATA_DIR, or use a larger one. When it is full, nothing can be saved.",
    "The data folder",
    true,
  ),
  rule(
    "backup-failed",
    ({ backup }) => (backup?.failure ?? null) !== null,
    "The last backup failed",
    "It is retried every 15 minutes, and earlier backups are kept. Fix the reason shown below.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-late",
    ({ backup }) => backup !== null && backup.failure === null && backup.ageMs > LATE * backup.everyMs,
    "The last verified backup is older than the schedule allows",
    "See the log for one in progress, or make one by hand.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-none",
    ({ setup, backup }) => setup.database === "embedded" && backup === null,
    "No backups are made",
    "Set BACKUP_EVERY and BACKUP_TO, for example to 24h and a folder on another disk or an S3 bucket.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-beside-data",
    ({ backup }) => backup?.isBesideData === true,
    "Backups are on the same disk as the data",
    "Set BACKUP_TO to a folder on another disk, or to an S3 bucket.",
    "Backups by schedule",
  ),
  rule(
    "archive-silent",
    ({ archive }) => archive !== null && archive.silentSeconds > ARCHIVE_SILENT_AFTER && archive.writesWait,
    "The write-ahead log is not archived, so nothing can be saved",
    "Mount the disk of WAL_ARCHIVE_TO; the server's log says what is wrong with it. Writes continue as soon as it is back.",
    "Losing nothing",
    true,
  ),
  rule(
    "archive-late",
    ({ archive }) => archive !== null && archive.silentSeconds > ARCHIVE_SILENT_AFTER && !archive.writesWait,
    "The write-ahead log is not archived",
    "Mount the disk of WAL_ARCHIVE_TO; the server's log says what is wrong with it. Until then the write-ahead log fills the disk of DATA_DIR, and would be lost with it.",
    "Losing nothing",
    true,
  ),
  rule(
    "archive-beside-data",
    ({ archive }) => archive?.isBesideData === true,
    "The log archive is on the same disk as the data",
    "Set WAL_ARCHIVE_TO to a folder of another machine, and make sure that it is mounted.",
    "Losing nothing",
  ),
  rule(
    "secret-weak",
    ({ setup }) => setup.weakSecrets.length > 0,
    "A secret is public or easy to guess",
    "Remove it from the settings so that the site generates one, or set a random one. Everyone has to sign in again.",
    "Secrets",
    true,
  ),
  rule(
    "address-plain",
    ({ setup }) => setup.siteAddress === "http",
    "The site is served without TLS",
    "Put a proxy with a certificate in front, and set SITE_URL to the https: address. Until then passwords are sent unencrypted.",
    "Proxy and TLS",
    true,
  ),
  rule(
    "address-missing",
    ({ setup }) => setup.siteAddress === "placeholder",
    "The site's address is not set",
    "Set SITE_URL to the public https: address: links in emails, search engines and passkeys depend on it.",
    "Address and storage",
  ),
  rule(
    "visitors-alike",
    ({ setup }) => setup.siteAddress === "https" && !setup.knowsVisitors,
    "All visitors behind the proxy count as one",
    "Have the proxy pass on the visitor's address, and set CLIENT_ADDRESS_HEADER: limits apply per address.",
    "Proxy and TLS",
  ),
  rule(
    "mail-none",
    ({ setup }) => setup.database !== "hosted" && !setup.mailArrives,
    "No email is sent",
    "Set SMTP_URL. Until then emails are written to files in DATA_DIR/outbox: nobody can reset a password, and parents cannot be asked for permission.",
    "Mail and text messages",
    true,
  ),
  rule(
    "mail-late",
    ({ mails }) => mails !== null && mails.failing > 0 && mails.oldestSeconds > HALF_AN_HOUR,
    "Emails have been queued for half an hour or longer",
    "The mail server is down, or rejects the login or the sender; see the log. Emails are discarded after a day.",
    "Mail and text messages",
    true,
  ),
  rule(
    "mail-lost",
    ({ mails }) => (mails?.lost ?? 0) > 0,
    "Emails were discarded in the last seven days",
    "Some mailboxes do not exist. If there are many, see the log for why the mail server rejects the sender.",
    "Mail and text messages",
  ),
  rule(
    "contact-none",
    ({ setup }) => !setup.contactArrives,
    "Messages sent at /contact reach nobody",
    "Set CONTACT_EMAIL, or CONTACT_DELIVERY.",
    "Names and links",
  ),
  rule(
    "connections-short",
    ({ database, processes }) =>
      (database !== null && database.connections > 0.9 * database.maxConnections) ||
      processes.some(({ pool }) => pool !== null && pool.waiting > 0),
    "Database connections are running out",
    "Requests wait for a connection. If this persists, raise PostgreSQL's max_connections or lower WORKERS.",
    "Processes",
  ),
  rule(
    "changes-lag",
    ({ database }) => database !== null && database.slotLagBytes > 1e9,
    "A replication slot lags behind, and the write-ahead log fills the disk",
    "Find the replication slot that is no longer used, and drop it.",
    "Metrics",
    true,
  ),
  rule(
    "changes-silent",
    ({ setup, changesArrive }) => setup.database !== "hosted" && !changesArrive,
    "Open pages do not receive changes",
    "Set wal_level = logical, and give the login the REPLICATION attribute.",
    "A PostgreSQL of your own",
  ),
  rule(
    "files-here",
    ({ setup }) => setup.database === "own" && !setup.sharesFiles,
    "Uploaded files are stored on this machine only",
    "Set S3_BUCKET before a second machine uses the same database.",
    "Words, ratings and uploads",
  ),
];

/** Problems and risky settings, the most serious first. */
export function findFaults(facts: Facts): Finding[] {
  const found = RULES.filter(({ applies }) => applies(facts)).map(({ applies: _, ...finding }) => finding);
  return [...found.filter(({ isGrave }) => isGrave), ...found.filter(({ isGrave }) => !isGrave)];
}
