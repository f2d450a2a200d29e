import type { Client } from "#app/features/site/client.ts";
import { COLUMN_LIMITS } from "#domain/text/column-limits.ts";
import type { TradeEntry } from "#domain/trades/trade-lines.ts";
import type { Tables } from "#supabase/database.types.ts";
import { ignoreFailedRead } from "../failed-reads/ignore-failed-read.ts";

export type TradeRecord = Tables<"trade_history">;

/** Both sides of a trade with the calculator's totals; the database recalculates them (P11). */
export type NewTrade = {
  your_items: TradeEntry[];
  their_items: TradeEntry[];
  your_total: number;
  their_total: number;
  /** The trade partner, in the owner's words; visible to nobody else. */
  trade_partner_email: string | null;
};

/** The maximum length of "Traded with"; the table enforces the same. */
export const PARTNER_MAX = COLUMN_LIMITS.trade_history.trade_partner_email;

/**
 * Saves a trade for its owner under an id of the browser's; succeeds if it is already there. The response's status
 * distinguishes a lost session from other failures.
 */
export async function insertTradeOnce(client: Client, userId: string, id: string, trade: NewTrade) {
  const row = { id, user_id: userId, ...trade };
  return await client.from("trade_history").upsert(row, { onConflict: "id", ignoreDuplicates: true });
}

/** Trades per page of the list. */
export const TRADES_A_PAGE = 24;

type TradePlace = Pick<TradeRecord, "id" | "created_at">;

/** A part of the user's own trades, newest first; `older` is where the next part starts, if there may be one. */
export type TradePage = { trades: TradeRecord[]; older?: TradePlace };

/** Reads at most `limit` trades after the given one. @throws the service's error */
export async function listTrades(
  client: Client,
  after: TradePlace | undefined,
  limit: number,
): Promise<TradePage> {
  const newest = client
    .from("trade_history")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .limit(limit);
  const { data: trades } = await (after ? newest.or(olderThan(after)) : newest).throwOnError();
  const last = trades.length === limit ? trades.at(-1) : undefined;
  return last ? { trades, older: last } : { trades };
}

const olderThan = ({ id, created_at }: TradePlace) =>
  `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.gt.${id})`;

/** How many of the newest trades the balance chart shows. */
const BALANCED = 1000;

export type TotalsRecord = Pick<TradeRecord, "id" | "your_total" | "their_total" | "has_unpriced">;

/** The totals of the user's newest trades, oldest first; empty if the read fails, since the list works without them. */
export async function listTotals(client: Client): Promise<TotalsRecord[]> {
  const answer = await client
    .from("trade_history")
    .select("id, your_total, their_total, has_unpriced")
    .order("created_at", { ascending: false })
    .order("id")
    .limit(BALANCED);
  return ignoreFailedRead(answer, []).reverse();
}

/** Deletes one of the user's trades. One that is already gone is no failure. @throws the service's error */
export async function deleteTrade(client: Client, id: string): Promise<void> {
  await client.from("trade_history").delete().eq("id", id).throwOnError();
}
