import type { TurnKind } from "#backend/memory/crew.ts";
import type { DatabaseLogins } from "../database/open-database.ts";

/** How a worker begins. */
export type Beginning = {
  /** Null where the backend is on another host. */
  database: DatabaseLogins | null;
  port: number;
  /** How many workers there are, and which this one is, from 0. */
  size: number;
  place: number;
};

/** What another worker tells. */
export type Told = { id: number; kind: string; about: string };

/** What the first process says to a worker. */
export type Order =
  | { order: "begin"; beginning: Beginning }
  | { order: "stop" }
  /** It is your turn. */
  | { order: "go"; turn: number }
  | { order: "hear"; told: Told }
  /** All others have heard what you told. */
  | { order: "heard"; id: number };

/** What a worker says to the first process. */
export type Report =
  | { report: "ready" }
  | { report: "open"; address: string; operatorAddress: string | null }
  /** A sentence for the operator; null where only the trace helps, which stands on the console. */
  | { report: "failed"; sentence: string | null }
  | { report: "turn"; turn: number; kind: TurnKind }
  | { report: "over"; turn: number }
  | { report: "tell"; told: Told }
  | { report: "heard"; id: number };
