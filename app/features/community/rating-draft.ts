import type { Trader } from "./trader-queries.ts";

/** The trader being rated. */
export type RatedTrader = Pick<Trader, "id" | "username">;

/** A draft rating. */
export type RatingDraft = { stars: number; comment: string };
