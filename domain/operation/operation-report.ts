/** Something an operator should mend or think about. */
export type Finding = {
  id: string;
  /** Whether people lose something, or may soon. */
  isGrave: boolean;
  title: string;
  todo: string;
  /** Of docs/operations.md. */
  heading: string;
};

/** How one of the processes goes that serve the site. */
export type ProcessFacts = {
  pid: number;
  startedAt: string;
  memoryBytes: number;
  /** Open sockets of realtime. */
  sockets: number;
  /** Open pages that listen for changes. */
  livePages: number;
  /** Bytes of kept pages. */
  keptBytes: number;
  /** How its connections to the database are used; null where another host has that. */
  pool: { max: number; busy: number; waiting: number } | null;
};

export type DatabaseReport = {
  version: string;
  bytes: number;
  connections: number;
  maxConnections: number;
  /** Of the shortest statement, there and back. */
  latencyMs: number;
  /** PostgreSQL's log that a reader of changes has yet to take. */
  slotLagBytes: number;
};

export type MailReport = {
  waiting: number;
  /** Of those, how many were tried in vain. */
  failing: number;
  /** For how long the first one waits. */
  oldestSeconds: number;
  /** Given up in the last seven days: refused for good, or tried in vain for a day. */
  lost: number;
};

export type BackupReport = {
  everyMs: number;
  /** Milliseconds since the last proven one began, or since there should have been one. */
  ageMs: number;
  last: { name: string; madeAt: string; bytes: number; files: number; rows: number; seconds: number } | null;
  failure: { at: string; reason: string } | null;
  /** Whether it lies on the disk that it should outlive. */
  isBesideData: boolean;
};

/** So many seconds without a word of the archive are told: a restart of PostgreSQL takes less. */
export const ARCHIVE_SILENT_AFTER = 5;

export type ArchiveReport = {
  /** Since it was there; it is heard of each second. */
  silentSeconds: number;
  /** Whether nothing is confirmed before it is there. */
  writesWait: boolean;
  /** Whether it lies on the disk that it should outlive. */
  isBesideData: boolean;
};

/** What the operator chose, as far as it bears on how safe the site is. */
export type Setup = {
  siteAddress: "placeholder" | "http" | "https";
  database: "embedded" | "own" | "hosted";
  mailArrives: boolean;
  contactArrives: boolean;
  /** Whether a proxy's header tells visitors apart. */
  knowsVisitors: boolean;
  /** Whether other processes on the database have the uploaded files. */
  sharesFiles: boolean;
  /** The variables whose values others know or may guess. */
  weakSecrets: string[];
  /** How many processes should serve. */
  processes: number;
};

/** What an admin reads of the running site; nothing in it is of a person. */
export type OperationReport = {
  at: string;
  version: string;
  setup: Setup;
  machine: { cores: number; load: number; memoryBytes: number; freeMemoryBytes: number };
  processes: ProcessFacts[];
  /** Whether changes in the database arrive by themselves. */
  changesArrive: boolean;
  /** Null where it does not answer, or another host has it. */
  database: DatabaseReport | null;
  mails: MailReport | null;
  /** Of the data folder; null where nothing is kept here. */
  disk: { freeBytes: number; sizeBytes: number } | null;
  /** Null where no backups are made. */
  backup: BackupReport | null;
  /** Of the database's log; null where none is wanted, or the database does not answer. */
  archive: ArchiveReport | null;
  files: { objects: number; bytes: number } | null;
  findings: Finding[];
};
