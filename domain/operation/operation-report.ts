/** A problem that the operator should fix or consider. */
export type Finding = {
  id: string;
  /** Whether data or service is being lost, or may be soon. */
  isGrave: boolean;
  title: string;
  todo: string;
  /** A heading in docs/operations.md. */
  heading: string;
};

/** The state of one serving process. */
export type ProcessFacts = {
  pid: number;
  startedAt: string;
  memoryBytes: number;
  /** Open realtime sockets. */
  sockets: number;
  /** Open pages connected to the change stream. */
  livePages: number;
  /** Size of the page cache in bytes. */
  keptBytes: number;
  /** Usage of its database connections; null if the database is hosted elsewhere. */
  pool: { max: number; busy: number; waiting: number } | null;
};

export type DatabaseReport = {
  version: string;
  bytes: number;
  connections: number;
  maxConnections: number;
  /** Round trip of the shortest statement. */
  latencyMs: number;
  /** WAL retained for the slowest replication slot. */
  slotLagBytes: number;
};

export type MailReport = {
  waiting: number;
  /** Of those, how many have failed attempts. */
  failing: number;
  /** How long the first one has been waiting. */
  oldestSeconds: number;
  /** Given up in the last seven days: permanently rejected, or retried for a day. */
  lost: number;
};

export type BackupReport = {
  everyMs: number;
  /** Milliseconds since the last verified backup began, or since backups were first scheduled. */
  ageMs: number;
  last: { name: string; madeAt: string; bytes: number; files: number; rows: number; seconds: number } | null;
  failure: { at: string; reason: string } | null;
  /** Whether it is on the same disk as the data that it protects. */
  isBesideData: boolean;
};

/** Seconds of silence after which the archive is reported; a restart of PostgreSQL takes less. */
export const ARCHIVE_SILENT_AFTER = 5;

export type ArchiveReport = {
  /** Seconds since the archive last reported; normally it does so each second. */
  silentSeconds: number;
  /** Whether commits wait for the archive. */
  writesWait: boolean;
  /** Whether it is on the same disk as the data that it protects. */
  isBesideData: boolean;
};

/** The operator's settings that affect safety. */
export type Setup = {
  siteAddress: "placeholder" | "http" | "https";
  database: "embedded" | "own" | "hosted";
  mailArrives: boolean;
  contactArrives: boolean;
  /** Whether a proxy header identifies clients. */
  knowsVisitors: boolean;
  /** Whether other processes on the database have access to the uploaded files. */
  sharesFiles: boolean;
  /** Variables with known or guessable values. */
  weakSecrets: string[];
  /** How many processes should be serving. */
  processes: number;
};

/** The running site's state as shown to admins; contains no personal data. */
export type OperationReport = {
  at: string;
  version: string;
  setup: Setup;
  machine: { cores: number; load: number; memoryBytes: number; freeMemoryBytes: number };
  processes: ProcessFacts[];
  /** Whether database changes arrive by notification. */
  changesArrive: boolean;
  /** Null if it does not answer or is hosted elsewhere. */
  database: DatabaseReport | null;
  mails: MailReport | null;
  /** Of the data folder; null if nothing is stored on this machine. */
  disk: { freeBytes: number; sizeBytes: number } | null;
  /** Null if no backups are configured. */
  backup: BackupReport | null;
  /** The WAL archive; null if none is configured or the database does not answer. */
  archive: ArchiveReport | null;
  files: { objects: number; bytes: number } | null;
  findings: Finding[];
};
