import type { Origins } from "#backend/http/cors.ts";

const MIB = 1024 * 1024;

/** The service's settings; durations in seconds, sizes in bytes. */
export type FunctionsConfig = typeof defaultFunctionsConfig;

export type FunctionLimits = FunctionsConfig["limits"];

/** Defaults are those of the hosted service where it documents them. */
export const defaultFunctionsConfig = {
  basePath: "/functions/v1",
  /** The header in which a proxy passes the client's address; null without a proxy. */
  addressHeader: null as string | null,
  /** Origins that browsers may call from now; null for all. Applies only to the service's own error responses. */
  corsOrigins: (() => null) as Origins,
  /** Whether functions are reloaded when one of their files changes. */
  reloads: false,
  limits: {
    /** Maximum concurrent processes, including idle ones. */
    workers: 4,
    /** Requests of one client queued for a worker. */
    waiting: 16,
    /** Queued requests of all clients. */
    waitingInAll: 64,
    longestWait: 10,
    /** Memory per worker, in addition to an empty one's. */
    memory: 256 * MIB,
    /** CPU time per request, including the worker's start. */
    cpuTime: 2,
    /** Time until a response is complete. */
    wallTime: 150,
    /** How long an idle worker is kept for the next request. */
    idleTime: 30,
    requestBody: 6 * MIB,
    responseBody: 20 * MIB,
  },
};
