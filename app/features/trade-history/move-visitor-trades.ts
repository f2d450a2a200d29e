import { tellOtherTabs } from "#app/features/live/other-tabs.ts";
import type { Client } from "#app/features/site/client.ts";
import { insertTradeOnce } from "./trade-queries.ts";
import { forgetVisitorTrade, listVisitorTrades } from "./visitor-trades.ts";

/** In the database's words: it holds an item that is there no more. */
const IS_NO_TRADE = "22023";

/**
 * Puts what a visitor kept in this browser into the history of whoever signed in. What cannot be saved now, without the
 * line, without room, or before the second factor, waits for the next time.
 */
export async function moveVisitorTrades(client: Client, userId: string): Promise<void> {
  let isAny = false;
  for (const { search, id, trade } of listVisitorTrades()) {
    const { error } = await insertTradeOnce(client, userId, id, trade);
    if (error === null || error.code === IS_NO_TRADE) forgetVisitorTrade(search, error === null);
    isAny ||= error === null;
  }
  if (isAny) tellOtherTabs("trade_history");
}
