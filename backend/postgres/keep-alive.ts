/**
 * Client options for every connection that waits: without probes it would never notice, while nothing is being sent,
 * that a firewall dropped it. Node repeats an unanswered probe each second and gives up after ten.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * A connection of ours that has not answered for this long counts as dropped. No statement of a request takes that
 * long: PostgreSQL ends those after 3 to 10 s (`statement_timeout` of the roles). One of a job that did would still be
 * done in the database; the job only runs again.
 */
export const SILENT_AFTER_MS = 60_000;
