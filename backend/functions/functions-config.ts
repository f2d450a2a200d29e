/** How the service behaves; every length of time is in seconds, every size in bytes. */
export type FunctionsConfig = {
  basePath: string;
  /** The header in which a proxy names the client's address; null without a proxy. */
  addressHeader: string | null;
  /** Origins that browsers may call from; null for all. Only the service's own refusals need it. */
  corsOrigins: readonly string[] | null;
  /** Functions are read anew when one of their files changes. */
  reloads: boolean;
  limits: FunctionLimits;
};

export type FunctionLimits = {
  /** Processes at a time, those that wait for their next request included. */
  workers: number;
  /** Requests of one client that wait for a worker. */
  waiting: number;
  /** The same of everybody. */
  waitingInAll: number;
  longestWait: number;
  /** Of one worker, beyond what an empty one takes. */
  memory: number;
  /** Of one request, the worker's start included. */
  cpuTime: number;
  /** Until a request is answered to its end. */
  wallTime: number;
  /** How long a worker waits for its next request. */
  idleTime: number;
  requestBody: number;
  responseBody: number;
};

const MIB = 1024 * 1024;

/** As the hosted service has them, where it says them. */
export const defaultFunctionsConfig: FunctionsConfig = {
  basePath: "/functions/v1",
  addressHeader: null,
  corsOrigins: null,
  reloads: false,
  limits: {
    workers: 4,
    waiting: 16,
    waitingInAll: 64,
    longestWait: 10,
    memory: 256 * MIB,
    cpuTime: 2,
    wallTime: 150,
    idleTime: 30,
    requestBody: 6 * MIB,
    responseBody: 20 * MIB,
  },
};
