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

/** The user's own trades, newest first, after the given one. @throws the service's error */
export async function listTrades(
  client: Client,
  after?: Pick<TradeRecord, "id" | "created_at">,
): Promise<TradeRecord[]> {
  const trades = client
    .from("trade_history")
    .select("*")
    .order("created_at", { ascending: false })
    .order("id")
    .limit(TRADES_A_PAGE);
  if (!after) return (await trades.throwOnError()).data;
  const { id, created_at } = after;
  const older = `created_at.lt."${created_at}",and(created_at.eq."${created_at}",id.gt.${id})`;
  return (await trades.or(older).throwOnError()).data;
}

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
