/** A new cluster's settings in `postgresql.conf`, where the operator may edit them. Sizes follow the machine. */
export const INITIAL_SETTINGS: Record<string, string> = {
  // Small rows read by key: JIT compilation and parallel workers cost more than they save.
  jit: "off",
  max_parallel_workers_per_gather: "0",
  // One process fewer than with I/O workers; the whole catalogue sits in memory.
  io_method: "sync",
  // A refused write is the client's problem, not the operator's.
  log_min_messages: "log",
  log_checkpoints: "off",
  timezone: "UTC",
  log_timezone: "UTC",
};

/** Options of one start. */
export type StartOptions = {
  ephemeral: boolean;
  /** Name of the standby that must have the WAL on its disk before a commit is confirmed. */
  commitsWaitFor?: string;
  /** Recovers past the end of a backup with the WAL in `pg_wal`, up to the end of that, on a new timeline. */
  recovers?: boolean;
};

/** Settings enforced at every start, whatever `postgresql.conf` says. */
export function startSettings(
  socketFolder: string,
  { ephemeral, commitsWaitFor, recovers }: StartOptions,
): Record<string, string> {
  const settings: Record<string, string> = {
    listen_addresses: "",
    unix_socket_directories: socketFolder,
    unix_socket_permissions: "0700",
    // The change feed needs logical decoding.
    wal_level: "logical",
    lc_messages: "C",
    // If one of its processes is killed, it ends and is restarted by this site, which logs that.
    restart_after_crash: "off",
    ...(commitsWaitFor && { synchronous_standby_names: commitsWaitFor }),
    // The WAL files are already in place, so there is nothing to fetch. No connections until recovery ends.
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
