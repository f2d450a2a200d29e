import { availableParallelism } from "node:os";

/**
 * A process's view of the processes that serve on the same machine. Anything users rely on goes through the database,
 * as between machines; this is for limits, and for work to be done only once.
 */
export type ProcessGroup = {
  /** The number of processes, including this one. */
  size: number;
  /** This process's index, from 0; a replacement process gets the same one. */
  index: number;
  /** Whether this process does the background work, such as cleanup and sending mail. */
  isLeader: boolean;
  /** Runs the work when it is its turn among all processes; the kind determines how many may run at once. */
  runInTurn<T>(kind: TurnKind, work: () => Promise<T>): Promise<T>;
  /** Notifies the others; resolves when they have acted on it, or after giving up on them. */
  broadcast(kind: string, about: string): Promise<void>;
  /** Registers the handler for notifications of other processes; one per kind. */
  onBroadcast(kind: string, act: (about: string) => unknown): void;
};

/** Hashing passwords, decoding images, and named tasks that run one at a time. */
export type TurnKind = "hash" | "picture" | `one ${string}`;

/** Each takes memory: 19 MiB per hash, and for an image in proportion to its pixels. */
const MOST_AT_ONCE = 4;

/**
 * How many tasks of a kind run at a time on one machine. Passwords are hashed on all cores where hashing yields to
 * serving (decision 92), else on half of them; images leave one core to everything else.
 */
export function atOnce(kind: TurnKind): number {
  if (kind !== "hash" && kind !== "picture") return 1;
  const cores = availableParallelism();
  const half = Math.floor(cores / 2);
  const free = kind === "picture" ? cores - 1 : process.platform === "linux" ? cores : half;
  return Math.max(1, Math.min(MOST_AT_ONCE, free));
}

/** A process on its own. */
export const SINGLE_PROCESS: ProcessGroup = {
  size: 1,
  index: 0,
  isLeader: true,
  runInTurn: (_, work) => work(),
  broadcast: async () => {},
  onBroadcast: () => {},
};

/** One process's share of a limit for all, but at least `least`: connections are distributed in turn, not by client. */
export function shareOf(all: number, { size }: Pick<ProcessGroup, "size">, least = 1): number {
  return Math.min(all, Math.max(least, Math.ceil(all / size)));
}
