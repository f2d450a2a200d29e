import { useEffect, useMemo, useState } from "react";
import { useSearchParams } from "react-router";
import { listCalculatorItems, listLastChecks } from "#app/features/items/item-queries.ts";
import { notifyOtherTabs } from "#app/features/live/other-tabs.ts";
import { useRead, useReadPages, useRefresh } from "#app/features/live/use-read.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { isUnanswered } from "#app/features/session/show-failure.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import {
  deleteTrade,
  listTotals,
  listTrades,
  type TotalsRecord,
  TRADES_A_PAGE,
  type TradePage,
} from "#app/features/trade-history/trade-queries.ts";
import { showError, showToast } from "#app/ui/toast/toast-store.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { itemFinder, type SavedTrade, toSavedTrade } from "./saved-trade.ts";

export type Trades = {
  /** `undefined` while loading, null if loading failed. */
  trades: SavedTrade[] | null | undefined;
  configuration: PageConfiguration;
  /** When the items of these trades were last checked, each item once. */
  checked: readonly string[];
  /** Of all trades, oldest first, including those not loaded yet. */
  totals: readonly TotalsRecord[];
  hasOlder: boolean;
  isReadingOlder: boolean;
  readOlder(): Promise<void>;
  /** Deletes a trade and shows the outcome; the trade stays if it failed (8.error.22, 8.success.08). */
  remove(trade: SavedTrade): Promise<void>;
};

/** The user's saved trades, newest first, loaded page by page; other tabs' saves and deletions are followed. */
export function useTrades(): Trades {
  const site = useSiteConfig();
  const refresh = useRefresh();
  const { first, remember } = useShownTrades();
  const history = useReadPages(
    ["trade_history", "pages"],
    (client, after: TradePage["older"]) => listTrades(client, after, after ? TRADES_A_PAGE : first),
    ({ older }) => older,
  );
  const totals = useRead(["trade_history", "totals"], listTotals);
  const items = useRead(["items"], listCalculatorItems);
  const checks = useRead(["items", "checks"], listLastChecks);
  const configuration = useRead(["page_configurations"], (client) =>
    findPageConfiguration(client, "trade_history"),
  );
  const hasFailed = history.isLoadingError;
  useEffect(() => {
    if (hasFailed) showError("Failed to load trade history");
  }, [hasFailed]);

  async function readOlder(): Promise<void> {
    const { isError, data } = await history.fetchNextPage();
    if (isError) showError("Failed to load trade history");
    else remember(data?.pages.flatMap(({ trades }) => trades).length ?? 0);
  }

  async function remove({ id }: SavedTrade): Promise<void> {
    const attempt = async () => deleteTrade(await openSession(site), id);
    try {
      // Once more, in case only the answer was lost.
      await attempt().catch((error: Error) => (isUnanswered(error) ? attempt() : Promise.reject(error)));
    } catch {
      return showError("Failed to delete trade");
    }
    notifyOtherTabs("trade_history");
    await refresh("trade_history");
    showToast({ title: "Trade deleted successfully" });
  }

  const isReading = [history, totals, items, checks, configuration].some(({ isPending }) => isPending);
  const trades = useMemo(() => {
    if (hasFailed) return null;
    if (isReading) return undefined;
    const find = items.data ? itemFinder(items.data) : null;
    return history.data?.pages.flatMap((page) => page.trades.map((record) => toSavedTrade(record, find)));
  }, [hasFailed, isReading, items.data, history.data]);

  return {
    trades,
    configuration: configuration.data ?? null,
    checked: checkDays(trades ?? [], checks.data ?? []),
    totals: totals.data ?? [],
    hasOlder: history.hasNextPage,
    isReadingOlder: history.isFetchingNextPage,
    readOlder,
    remove,
  };
}

function checkDays(
  trades: readonly SavedTrade[],
  checks: readonly { id: string; values_checked_at: string }[],
): string[] {
  const traded = new Set(
    trades.flatMap(({ yours, theirs }) => [...yours.lines, ...theirs.lines].map(({ item }) => item?.id)),
  );
  return checks.flatMap(({ id, values_checked_at }) =>
    traded.has(id) ? [values_checked_at.slice(0, 10)] : [],
  );
}

/** More are not read at once, whatever the address says. */
const MOST_PAGES = 40;

/** How many trades are read at first: as many as were shown before a reload or another page, which the address tells. */
function useShownTrades() {
  const [search, setSearch] = useSearchParams();
  const [first] = useState(() => {
    const pages = Math.floor(Number(search.get("page"))) || 1;
    return Math.max(1, Math.min(pages, MOST_PAGES)) * TRADES_A_PAGE;
  });
  function remember(shown: number): void {
    const page = Math.ceil(shown / TRADES_A_PAGE);
    setSearch({ page: String(page) }, { replace: true, preventScrollReset: true });
  }
  return { first, remember };
}
