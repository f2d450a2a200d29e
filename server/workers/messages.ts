import type { TurnKind } from "#backend/memory/process-group.ts";
import type { DatabaseLogins } from "../database/open-database.ts";

/** What a worker needs to start. */
export type StartMessage = {
  /** Null if the backend is on another host. */
  database: DatabaseLogins | null;
  port: number;
  /** The operator's port; null if it is turned off. */
  operatorPort: number | null;
  /** The number of workers, and this worker's index, from 0. */
  size: number;
  index: number;
  /** Whether it replaces a serving worker and takes over its socket. */
  isSuccessor: boolean;
};

/** A message from another worker. */
export type Broadcast = { id: number; kind: string; about: string };

/** Messages from the first process to a worker. */
export type Order =
  | { order: "begin"; start: StartMessage }
  | { order: "stop" }
  /** A successor has this worker's index and socket: drain the connections. */
  | { order: "retire" }
  /** Send a handle of the listening socket. */
  | { order: "lend" }
  /** Listen: on the socket that comes with this message, or on a new one. */
  | { order: "take" }
  /** It is your turn. */
  | { order: "go"; turn: number }
  | { order: "deliver"; message: Broadcast }
  /** All other workers have acknowledged the message. */
  | { order: "acknowledged"; id: number };

/** Messages from a worker to the first process. */
export type Report =
  | { report: "ready" }
  /** A successor is ready to listen. */
  | { report: "prepared" }
  /** Comes with the socket. */
  | { report: "lent" }
  | { report: "open"; address: string; operatorAddress: string | null }
  /** A sentence for the operator; null if there is only a stack trace, which is on the console. */
  | { report: "failed"; sentence: string | null }
  | { report: "turn"; turn: number; kind: TurnKind }
  | { report: "over"; turn: number }
  | { report: "broadcast"; message: Broadcast }
  | { report: "acknowledged"; id: number };
