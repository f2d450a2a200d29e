import { ARCHIVE_SILENT_AFTER, type Finding, type OperationReport } from "./operation-report.ts";

type Facts = Omit<OperationReport, "findings">;
type Rule = Finding & { applies(facts: Facts): boolean };

const GB = 1024 ** 3;
const HALF_AN_HOUR = 1800;
/** As the alert rules have it. */
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
    "The database does not answer",
    "Pages are served from memory meanwhile. The log says why; a full disk is the usual reason.",
    "When something is wrong",
    true,
  ),
  rule(
    "processes-silent",
    ({ setup, processes }) => processes.length < setup.processes,
    "Not every process answers",
    "The log says whether one ended, and for what. Too little memory is the usual reason: set a lower WORKERS.",
    "Processes",
    true,
  ),
  rule(
    "disk-small",
    ({ disk }) => disk !== null && (disk.freeBytes < GB || disk.freeBytes < SMALL_SHARE * disk.sizeBytes),
    "The disk is nearly full",
    "Make room on the disk of DATA_DIR, or give it a larger one. Without room the site only reads.",
    "The data folder",
    true,
  ),
  rule(
    "backup-failed",
    ({ backup }) => (backup?.failure ?? null) !== null,
    "The last backup failed",
    "It is tried again every quarter of an hour, and those before it stay. Fix what the reason names.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-late",
    ({ backup }) => backup !== null && backup.failure === null && backup.ageMs > LATE * backup.everyMs,
    "The last proven backup is older than the schedule has it",
    "Look in the log for the one that is under way, or make one by hand.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-none",
    ({ setup, backup }) => setup.database === "embedded" && backup === null,
    "Nothing makes backups",
    "Set BACKUP_EVERY and BACKUP_TO, such as 24h and a folder on another disk or an S3.",
    "Backups by schedule",
    true,
  ),
  rule(
    "backup-beside-data",
    ({ backup }) => backup?.isBesideData === true,
    "Backups lie on the disk that they should outlive",
    "Let BACKUP_TO name a folder on another disk, or an S3.",
    "Backups by schedule",
  ),
  rule(
    "archive-silent",
    ({ archive }) => archive !== null && archive.silentSeconds > ARCHIVE_SILENT_AFTER && archive.writesWait,
    "The database's log is not archived, and nothing can be saved",
    "Mount the disk of WAL_ARCHIVE_TO: the log says what is wrong with it. Writes go on as soon as it is there.",
    "Losing nothing",
    true,
  ),
  rule(
    "archive-late",
    ({ archive }) => archive !== null && archive.silentSeconds > ARCHIVE_SILENT_AFTER && !archive.writesWait,
    "The database's log is not archived",
    "Mount the disk of WAL_ARCHIVE_TO: the log says what is wrong with it. Until then it fills the disk of DATA_DIR, and is lost with it.",
    "Losing nothing",
    true,
  ),
  rule(
    "archive-beside-data",
    ({ archive }) => archive?.isBesideData === true,
    "The archived log lies on the disk that it should outlive",
    "Let WAL_ARCHIVE_TO name a folder of another machine, and see that it is mounted.",
    "Losing nothing",
  ),
  rule(
    "secret-weak",
    ({ setup }) => setup.weakSecrets.length > 0,
    "A secret is one that others know or may guess",
    "Take it out of the settings, so that the site makes one, or set a random one. Everybody has to sign in again.",
    "Secrets",
    true,
  ),
  rule(
    "address-plain",
    ({ setup }) => setup.siteAddress === "http",
    "The site is served without TLS",
    "Put a proxy with a certificate in front, and set SITE_URL to the https: address. Until then passwords cross the network as they are.",
    "Proxy and TLS",
    true,
  ),
  rule(
    "address-missing",
    ({ setup }) => setup.siteAddress === "placeholder",
    "The site does not know its address",
    "Set SITE_URL to the public https: address: links in emails, search engines and passkeys depend on it.",
    "Address and storage",
  ),
  rule(
    "visitors-alike",
    ({ setup }) => setup.siteAddress === "https" && !setup.knowsVisitors,
    "All visitors behind the proxy count as one",
    "Let the proxy name the visitor's address, and set CLIENT_ADDRESS_HEADER: limits are for each address.",
    "Proxy and TLS",
  ),
  rule(
    "mail-none",
    ({ setup }) => setup.database !== "hosted" && !setup.mailArrives,
    "Email reaches nobody",
    "Set SMTP_URL. Until then emails are files in DATA_DIR/outbox: nobody can reset a forgotten password, and parents cannot be asked for permission.",
    "Mail and text messages",
    true,
  ),
  rule(
    "mail-late",
    ({ mails }) => mails !== null && mails.failing > 0 && mails.oldestSeconds > HALF_AN_HOUR,
    "Emails have been waiting for half an hour or longer",
    "The mail server is down, or refuses the login or the sender: the log says which. After a day they are given up.",
    "Mail and text messages",
    true,
  ),
  rule(
    "mail-lost",
    ({ mails }) => (mails?.lost ?? 0) > 0,
    "Emails were given up in the last seven days",
    "Some mailboxes do not exist. If there are many, the log says what the mail server has against the sender.",
    "Mail and text messages",
  ),
  rule(
    "contact-none",
    ({ setup }) => !setup.contactArrives,
    "What people write at /contact reaches nobody",
    "Set CONTACT_EMAIL, or CONTACT_DELIVERY.",
    "Names and links",
  ),
  rule(
    "connections-short",
    ({ database, processes }) =>
      (database !== null && database.connections > 0.9 * database.maxConnections) ||
      processes.some(({ pool }) => pool !== null && pool.waiting > 0),
    "Connections to the database run short",
    "Requests wait for one. If that stays so, raise PostgreSQL's max_connections, or lower WORKERS.",
    "Processes",
  ),
  rule(
    "changes-lag",
    ({ database }) => database !== null && database.slotLagBytes > 1e9,
    "A reader of changes lags, and PostgreSQL's log fills the disk",
    "Look for a replication slot that nobody reads any more, and drop it.",
    "Metrics",
    true,
  ),
  rule(
    "changes-silent",
    ({ setup, changesArrive }) => setup.database !== "hosted" && !changesArrive,
    "Open pages do not hear of changes",
    "Give the database wal_level = logical and the login the right to replicate.",
    "A PostgreSQL of your own",
  ),
  rule(
    "files-here",
    ({ setup }) => setup.database === "own" && !setup.sharesFiles,
    "Uploaded files stay on this machine",
    "Set S3_BUCKET before a second machine uses the same database.",
    "Words, ratings and uploads",
  ),
];

/** What is wrong or badly set up, what is grave first. */
export function findFaults(facts: Facts): Finding[] {
  const found = RULES.filter(({ applies }) => applies(facts)).map(({ applies: _, ...finding }) => finding);
  return [...found.filter(({ isGrave }) => isGrave), ...found.filter(({ isGrave }) => !isGrave)];
}
