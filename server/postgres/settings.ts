/** What a new cluster gets in its `postgresql.conf`; the operator may edit it there. Sizes follow the machine. */
export const INITIAL_SETTINGS: Record<string, string> = {
  // Small rows by key: compiling queries and spreading them over workers costs more than it saves.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // One process fewer than with I/O workers; the whole catalogue sits in memory.
  io_method: "sync",
  // A refused write is the client's affair, not the operator's.
  log_min_messages: "log",
  log_checkpoints: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** Of one start. */
export type StartOptions = {
  ephemeral: boolean;
  /** By its name, who must have the log on a disk of its own before a commit is confirmed. */
  commitsWaitFor?: string;
  /** Goes on after a backup's end with the log that lies in `pg_wal`, up to the end of that, as a history of its own. */
  recovers?: boolean;
};

/** What every start insists on, whatever `postgresql.conf` says. */
export function startSettings(
  socketFolder: string,
  { ephemeral, commitsWaitFor, recovers }: StartOptions,
): Record<string, string> {
  const settings: Record<string, string> = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    // The change feed reads the log by logical decoding.
    wal_level: "logical",
    lc_messages: "C",
    ...(commitsWaitFor && { synchronous_standby_names: commitsWaitFor }),
    // Nothing is fetched by a command: what there is was put in its place before. Nobody comes in until it is at its end.
    ...(recovers && { restore_command: "false", recovery_target_timeline: "latest", hot_standby: "off" }),
  };
  return ephemeral
    ? { ...settings, fsync: "off", synchronous_commit: "off", full_page_writes: "off" }
    : settings;
}

/** As command-line options. */
export function toOptions(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
