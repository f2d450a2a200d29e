import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import type { Member, StartWorker } from "./start-worker.ts";

const TOLD = 5;
const WINDOW_MS = 60_000;
const LONGEST_PAUSE_MS = 3_000;

export type Workers = {
  address: string;
  operatorAddress: string | null;
  stop(): Promise<void>;
  /** Replaces the workers one after another, without failing a request. */
  renew(): Promise<void>;
};

/** Starts the workers and restarts any that exits by itself. Rejects if the first ones cannot start. */
export async function superviseWorkers(start: StartWorker, count: number, log: Log): Promise<Workers> {
  const members = Array.from({ length: count }, (_, index) => start(index));
  let stopping = false;
  /** A successor that is still starting. */
  let coming: { index: number; member: Member } | null = null;

  async function stop(): Promise<void> {
    stopping = true;
    await Promise.all([...members, ...(coming ? [coming.member] : [])].map((member) => member.end("stop")));
    await renewals.underWay();
  }

  async function renewAll(): Promise<void> {
    log(logText`The worker processes are being replaced one by one.`);
    try {
      for (const index of members.keys()) {
        if (!stopping) await renewOne(index);
      }
      if (!stopping) log(logText`All ${members.length} worker processes were replaced.`);
    } catch (error) {
      if (!stopping)
        log(
          logText`The other workers keep serving, since a new one failed: ${fromOperator((error as Error).message)}`,
          "error",
        );
    }
  }

  const renewals = coalesceRuns(renewAll);

  /** The new worker listens before the old one closes any connection. */
  async function renewOne(index: number): Promise<void> {
    const old = members[index] as Member;
    const member = start(index, old);
    coming = { index, member };
    try {
      await member.opened;
      members[index] = member;
    } finally {
      coming = null;
    }
    await old.end("retire");
  }

  async function keep(index: number): Promise<void> {
    const pauses = createPauses(log);
    while (!stopping) {
      const member = members[index] as Member;
      const how = await member.ended;
      if (!(await isMissing(index, member))) continue;
      await sleep(pauses.after(how), undefined, { ref: false });
      if (await isMissing(index, member)) members[index] = start(index);
    }
  }

  /** Whether this ended worker has to be restarted; one that is being replaced anyway has not. */
  async function isMissing(index: number, member: Member): Promise<boolean> {
    if (coming?.index === index) await coming.member.opened.catch(() => {});
    return !stopping && member === members[index];
  }

  try {
    const [first] = await Promise.all(members.map(({ opened }) => opened));
    const { address = "", operatorAddress = null } = first ?? {};
    for (const index of members.keys()) void keep(index);
    return {
      address,
      operatorAddress,
      stop,
      renew: () => renewals.underWay() ?? renewals.next(),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Delay before a restart: none at first, then increasing. The first few exits are logged one by one, then once that
 * there are many.
 */
function createPauses(log: Log): { after(how: string): number } {
  let ends: number[] = [];
  return {
    after(how) {
      const now = performance.now();
      ends = [...ends.filter((at) => now - at < WINDOW_MS), now];
      const { length } = ends;
      const why = fromOperator(how);
      if (length <= TOLD)
        log(logText`A worker process ended unexpectedly (${why}) and is being replaced.`, "warn");
      else if (length === TOLD + 1)
        log(logText`Worker processes keep ending (${why}); they are restarted every few seconds.`, "error");
      return Math.min((length - 1) * 1_000, LONGEST_PAUSE_MS);
    },
  };
}
