import { availableParallelism } from "node:os";

/**
 * What a process knows of those that serve beside it on one machine. What people may rely on goes through the database,
 * as between machines; this is for limits, and for work that is to be done once.
 */
export type Crew = {
  /** How many there are, this one included. */
  size: number;
  /** Which of them this one is, from 0; its successor has the same place. */
  place: number;
  /** Whether this one does the work that nobody asks for: sweeping, and handing on mails. */
  keepsHouse: boolean;
  /** Runs the work when it is its turn among all processes; so many of one kind run at a time as the kind says. */
  inTurn<T>(kind: TurnKind, work: () => Promise<T>): Promise<T>;
  /** Tells the others, and resolves when they have acted on it, or were given up. */
  tell(kind: string, about: string): Promise<void>;
  /** What to do when another one tells; one for each kind. */
  onTold(kind: string, act: (about: string) => unknown): void;
};

/** Passwords that are hashed, pictures that are decoded, and whatever goes by its name one at a time. */
export type TurnKind = "hash" | "picture" | `one ${string}`;

/** Each takes memory of its own: a hash 19 MiB, a picture as much as it has pixels. */
const MOST_AT_ONCE = 4;

/**
 * How many of a kind run at a time on one machine. Passwords are hashed on all cores where that gives way to what serves
 * (decision 92), else on half of them; pictures leave one core to everybody else.
 */
export function atOnce(kind: TurnKind, cores = availableParallelism()): number {
  if (kind !== "hash" && kind !== "picture") return 1;
  const half = Math.floor(cores / 2);
  const free = kind === "picture" ? cores - 1 : process.platform === "linux" ? cores : half;
  return Math.max(1, Math.min(MOST_AT_ONCE, free));
}

/** Nobody beside it. */
export const ALONE: Crew = {
  size: 1,
  place: 0,
  keepsHouse: true,
  inTurn: (_, work) => work(),
  tell: async () => {},
  onTold: () => {},
};

/** What one process may take of what all may, `least` at least: connections are spread by turns, not by who they are from. */
export function shareOf(all: number, { size }: Pick<Crew, "size">, least = 1): number {
  return Math.min(all, Math.max(least, Math.ceil(all / size)));
}
