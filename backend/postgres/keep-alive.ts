/**
 * Client options for every connection that waits: without probes it would never notice, while nothing is being sent,
 * that a firewall dropped it. Node repeats an unanswered probe each second and gives up after ten.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };
