import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import type { HttpResponse } from "#backend/http/http-message.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { idleTimeout, unavailable, workerError, workerLimit } from "../answers/function-error.ts";
import { toAnswer } from "../answers/to-answer.ts";
import type { FunctionLimits } from "../functions-config.ts";
import { BACKGROUND, CONNECTION, spawnWorker, type WorkerSetup } from "./spawn-worker.ts";

/** A request to a function, with its whole body. */
export type FunctionCall = {
  method: string;
  /** `/name/rest?query`. */
  path: string;
  headers: Record<string, string>;
  body: Uint8Array | null;
};

/** A process of one function. It handles one request at a time, so that killing it affects no other request. */
export type FunctionWorker = {
  /** `done` resolves once the response was consumed, or never will be. */
  call(request: FunctionCall): { answer: Promise<HttpResponse>; done: Promise<void> };
  isAlive(): boolean;
  /** Whether work that the function left behind with `EdgeRuntime.waitUntil` goes on. */
  isBusy(): boolean;
  /** Kills the process. */
  end(): void;
  readonly ended: Promise<void>;
};

/** Memory of an idle process that has loaded nothing yet. */
const EMPTY_PROCESS = 96 * 1024 * 1024;
const LOOK_EVERY_MS = 100;

type Fault = "limit" | "time" | "exit";

/** @throws FunctionError 503 if the machine has no file descriptors left for its pipes */
export function startWorker(setup: Omit<WorkerSetup, "memory">, limits: FunctionLimits): FunctionWorker {
  const child = spawnWorker({ ...setup, memory: limits.memory });
  const connection = child.stdio?.[CONNECTION] as Socket | undefined;
  if (!connection) throw unavailable();
  connection.on("error", () => {});
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => connection;
  let isAlive = true;
  let isBusy = false;
  child.stdio[BACKGROUND]
    ?.on("error", () => {})
    .on("data", (told: Buffer) => {
      isBusy = told.toString().endsWith("1");
    });
  let fault: Fault = "exit";
  const ended = new Promise<void>((resolve) => {
    const onEnd = () => {
      isAlive = false;
      clearInterval(watching);
      connection.destroy();
      agent.destroy();
      resolve();
    };
    child.once("exit", (_code, signal) => {
      // V8 aborts when its heap is full.
      if (signal === "SIGABRT" && fault === "exit") fault = "limit";
      onEnd();
    });
    child.once("error", onEnd);
  });

  function end(why: Fault = "exit"): void {
    if (isAlive) fault = why;
    isAlive = false;
    child.kill("SIGKILL");
  }

  const watch = watchUsage(child, limits, (what) => {
    setup.log(
      logText`functions: ${fromOperator(setup.name)} was ended: it exceeded its limit of ${what}.`,
      "warn",
    );
    end("limit");
  });
  const watching = setInterval(watch.look, LOOK_EVERY_MS).unref();

  function call(request: FunctionCall) {
    watch.allowAnew();
    const late = setTimeout(() => {
      setup.log(
        logText`functions: ${fromOperator(setup.name)} was ended: no response within ${limits.wallTime} s.`,
        "warn",
      );
      end("time");
    }, limits.wallTime * 1000);
    const received = send(agent, request);
    const done = received.then(toEnd).then(
      (isWhole) => {
        clearTimeout(late);
        watch.allowAnew();
        if (!isWhole) end();
      },
      () => {
        clearTimeout(late);
        end();
        return ended;
      },
    );
    const answer = received.then(
      (response) => toAnswer(response, request.method, limits.responseBody),
      async () => {
        await done;
        throw faults[fault](limits);
      },
    );
    return { answer, done };
  }

  function endIdle(): void {
    if (isAlive && isBusy)
      setup.log(
        logText`functions: ${fromOperator(setup.name)} was ended during its background work.`,
        "warn",
      );
    end();
  }

  return { call, isAlive: () => isAlive, isBusy: () => isBusy, end: endIdle, ended };
}

const faults: Record<Fault, (limits: FunctionLimits) => Error> = {
  limit: workerLimit,
  time: ({ wallTime }) => idleTimeout(wallTime),
  exit: workerError,
};

/** Monitors the process's usage; `allowAnew` grants the CPU time of one more request. */
function watchUsage({ pid }: ChildProcess, limits: FunctionLimits, onExcess: (what: LogText) => void) {
  let allowed = limits.cpuTime;
  return {
    allowAnew() {
      allowed = (readUsage(pid ?? 0)?.cpuTime ?? 0) + limits.cpuTime;
    },
    look() {
      const usage = readUsage(pid ?? 0);
      if (!usage) return;
      if (usage.cpuTime > allowed) onExcess(logText`CPU time`);
      else if (usage.memory > limits.memory + EMPTY_PROCESS) onExcess(logText`memory`);
    },
  };
}

function send(agent: Agent, { method, path, headers, body }: FunctionCall): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = body === null ? {} : { "content-length": String(body.byteLength) };
    const sent = sendRequest(
      { agent, method, path, headers: { ...headers, ...length }, setHost: false },
      resolve,
    );
    sent.on("error", reject);
    sent.end(body ?? undefined);
  });
}

/** Resolves with whether the response was complete. */
function toEnd(response: IncomingMessage): Promise<boolean> {
  return new Promise((resolve) => response.once("close", () => resolve(response.complete)));
}

/** CPU time in seconds and resident memory in bytes. */
type ProcessUsage = { cpuTime: number; memory: number };

/** The kernel's clock ticks per second (USER_HZ), 100 on Linux. */
const TICKS = 100;
const KIB = 1024;

/** The process's usage so far; null if it has exited, or without /proc. */
function readUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may contain anything; of the fields after it, the 12th and 13th are user and system
    // ticks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const resident = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      cpuTime: (Number(fields[11]) + Number(fields[12])) / TICKS,
      memory: Number(resident ?? 0) * KIB,
    };
  } catch {
    return null;
  }
}
