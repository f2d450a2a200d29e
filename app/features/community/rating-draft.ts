import type { Trader } from "./trader-queries.ts";

/** Who is being rated. */
export type RatedTrader = Pick<Trader, "id" | "username">;

/** What is being written about a trader. */
export type RatingDraft = { stars: number; comment: string };
