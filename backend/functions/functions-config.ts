const MIB = 1024 * 1024;

/** How the service behaves; every length of time is in seconds, every size in bytes. */
export type FunctionsConfig = typeof defaultFunctionsConfig;

export type FunctionLimits = FunctionsConfig["limits"];

/** As the hosted service has it, where it says so. */
export const defaultFunctionsConfig = {
  basePath: "/functions/v1",
  /** The header in which a proxy names the client's address; null without a proxy. */
  addressHeader: null as string | null,
  /** Origins that browsers may call from; null for all. Only the service's own refusals need it. */
  corsOrigins: null as readonly string[] | null,
  /** Functions are read anew when one of their files changes. */
  reloads: false,
  limits: {
    /** Processes at a time, those that wait for their next request included. */
    workers: 4,
    /** Requests of one client that wait for a worker. */
    waiting: 16,
    /** The same of everybody. */
    waitingInAll: 64,
    longestWait: 10,
    /** Of one worker, beyond what an empty one takes. */
    memory: 256 * MIB,
    /** Of one request, the worker's start included. */
    cpuTime: 2,
    /** Until a request is answered to its end. */
    wallTime: 150,
    /** How long a worker waits for its next request. */
    idleTime: 30,
    requestBody: 6 * MIB,
    responseBody: 20 * MIB,
  },
};
