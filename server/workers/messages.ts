import type { TurnKind } from "#backend/memory/crew.ts";
import type { DatabaseLogins } from "../database/open-database.ts";

/** How a worker begins. */
export type Beginning = {
  /** Null where the backend is on another host. */
  database: DatabaseLogins | null;
  port: number;
  /** The operator's; null where nobody wants that. */
  operatorPort: number | null;
  /** How many workers there are, and which this one is, from 0. */
  size: number;
  place: number;
  /** Whether it takes the place of one that serves, and its socket. */
  isSuccessor: boolean;
};

/** What another worker tells. */
export type Told = { id: number; kind: string; about: string };

/** What the first process says to a worker. */
export type Order =
  | { order: "begin"; beginning: Beginning }
  | { order: "stop" }
  /** Another one has your place and your socket: let everybody go to it. */
  | { order: "retire" }
  /** Hand over a share of your socket. */
  | { order: "lend" }
  /** Listen: at the socket that comes with this, or at one of your own. */
  | { order: "take" }
  /** It is your turn. */
  | { order: "go"; turn: number }
  | { order: "hear"; told: Told }
  /** All others have heard what you told. */
  | { order: "heard"; id: number };

/** What a worker says to the first process. */
export type Report =
  | { report: "ready" }
  /** A successor is ready to listen. */
  | { report: "prepared" }
  /** With the socket. */
  | { report: "lent" }
  | { report: "open"; address: string; operatorAddress: string | null }
  /** A sentence for the operator; null where only the trace helps, which stands on the console. */
  | { report: "failed"; sentence: string | null }
  | { report: "turn"; turn: number; kind: TurnKind }
  | { report: "over"; turn: number }
  | { report: "tell"; told: Told }
  | { report: "heard"; id: number };
