import { notifyOtherTabs } from "#app/features/live/other-tabs.ts";
import type { Client } from "#app/features/site/client.ts";
import { insertTradeOnce } from "./trade-queries.ts";
import { forgetVisitorTrade, listVisitorTrades } from "./visitor-trades.ts";

/** The database's code for a trade with an item that no longer exists. */
const IS_NO_TRADE = "22023";

/**
 * Moves the trades that a visitor kept in this browser into the history of the user who signed in. Those that cannot be
 * saved now (offline, history full, second factor due) wait for the next time.
 */
export async function moveVisitorTrades(client: Client, userId: string): Promise<void> {
  let isAny = false;
  for (const { search, id, trade, by = userId } of listVisitorTrades()) {
    // Whom somebody else traded with is not this user's to know.
    const own = by === userId ? trade : { ...trade, trade_partner_email: null };
    const { error } = await insertTradeOnce(client, userId, id, own);
    if (error === null || error.code === IS_NO_TRADE) forgetVisitorTrade(search, error === null);
    isAny ||= error === null;
  }
  if (isAny) notifyOtherTabs("trade_history");
}
