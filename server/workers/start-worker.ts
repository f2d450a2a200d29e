import type { ChildProcess, SendHandle } from "node:child_process";
import { fileURLToPath } from "node:url";
import { StartError } from "../configuration/start-error.ts";
import { startProcess } from "../start-process.ts";
import { createBroadcaster } from "./broadcaster.ts";
import type { Order, Report, StartMessage } from "./messages.ts";
import { createTurnScheduler } from "./turn-scheduler.ts";

const PROGRAM = fileURLToPath(new URL("worker.ts", import.meta.url));
/** Longer than requests in progress are given to finish. */
const ENDS_WITHIN_MS = { stop: 15_000, retire: 30_000 };

export type StarterOptions = {
  count: number;
  port: number;
  operatorPort: number | null;
  database: StartMessage["database"];
  /** Variables to add to this process's environment. */
  environment: Record<string, string>;
};

/** A socket being passed from one worker to another. */
type LentSocket = { close(): void };

type Opened = { address: string; operatorAddress: string | null };

export type Member = {
  id: number;
  /** Null if it could not be started. */
  process: ChildProcess | null;
  /** Resolves once it serves. */
  opened: Promise<Opened>;
  isOpen: boolean;
  /** Resolves with the reason for its exit. */
  ended: Promise<string>;
  /** Asks it to finish its requests and exit; kills it if it takes too long. */
  end(how: "stop" | "retire"): Promise<void>;
};

export type StartWorker = (index: number, predecessor?: Member) => Member;

function order(member: Member | undefined, what: Order, socket?: SendHandle, sent = () => {}): void {
  if (member?.process?.connected) member.process.send(what, socket, {}, sent);
  else sent();
}

/** Returns a function that starts a worker; messages between workers are routed through here. */
export function createWorkerStarter(options: StarterOptions): StartWorker {
  const { environment } = options;
  const members = new Map<number, Member>();
  const orderTo = (who: number, what: Order) => order(members.get(who), what);
  const turns = createTurnScheduler(({ who, turn }) => orderTo(who, { order: "go", turn }));
  const broadcaster = createBroadcaster(
    (to, message) => orderTo(to, { order: "deliver", message }),
    (sender, id) => orderTo(sender, { order: "acknowledged", id }),
  );
  const openExcept = (who: number) =>
    [...members.values()].filter(({ id, isOpen }) => isOpen && id !== who).map(({ id }) => id);
  let counter = 0;

  /** Passes the predecessor's socket to its successor; no socket if the predecessor has exited meanwhile. */
  async function passSocket(from: Member, to: Member): Promise<void> {
    const lent = new Promise<LentSocket | null>((resolve) => {
      void from.ended.then(() => resolve(null));
      from.process?.on("message", ({ report }: Report, socket) => {
        if (report === "lent") resolve((socket as LentSocket | undefined) ?? null);
      });
    });
    order(from, { order: "lend" });
    const socket = await lent;
    // An open copy here would keep accepting connections after both workers are gone.
    order(to, { order: "take" }, socket as SendHandle, () => socket?.close());
  }

  /** Handles a serving worker's messages. */
  function handle({ id }: Member, report: Report): void {
    if (report.report === "turn") turns.ask(id, report.turn, report.kind);
    else if (report.report === "over") turns.end(id, report.turn);
    else if (report.report === "broadcast") broadcaster.broadcast(id, report.message, openExcept(id));
    else if (report.report === "acknowledged") broadcaster.acknowledge(id, report.id);
  }

  function forget({ id }: Member): void {
    members.delete(id);
    turns.forget(id);
    broadcaster.forget(id);
  }

  return (index, predecessor) => {
    const started = startProcess(PROGRAM, { env: { ...process.env, ...environment } });
    const { child } = started;
    const opened = Promise.withResolvers<Opened>();
    let failure: string | null = null;
    const ended = started.ended.then((how) => {
      opened.reject(new StartError(failure ?? `A worker process ended before it served (${how}).`));
      return failure ?? how;
    });
    const member: Member = {
      id: ++counter,
      process: child,
      opened: opened.promise,
      isOpen: false,
      ended,
      async end(how) {
        order(member, { order: how });
        const timer = setTimeout(() => child?.kill("SIGKILL"), ENDS_WITHIN_MS[how]);
        await ended;
        clearTimeout(timer);
      },
    };
    if (child) members.set(member.id, member);
    // Avoids an unhandled rejection: callers await `opened` or `ended`, not always both.
    opened.promise.catch(() => {});
    child?.on("message", (report: Report) => {
      if (report.report === "ready") {
        order(member, { order: "begin", start: startMessageOf(options, index, predecessor) });
      } else if (report.report === "prepared" && predecessor) {
        void passSocket(predecessor, member);
      } else if (report.report === "open") {
        member.isOpen = true;
        opened.resolve(report);
      } else if (report.report === "failed") {
        failure = report.sentence;
      } else handle(member, report);
    });
    // After its last message.
    child?.once("disconnect", () => forget(member));
    return member;
  };
}

function startMessageOf(
  { count: size, database, port, operatorPort }: StarterOptions,
  index: number,
  predecessor: Member | undefined,
): StartMessage {
  return { database, size, port, operatorPort, index, isSuccessor: predecessor !== undefined };
}
