import { useCallback, useEffect, useMemo, useState } from "react";
import { type CalculatorItem, listCalculatorItems } from "#app/features/items/item-queries.ts";
import { findPageConfiguration } from "#app/features/page-configurations/page-configuration-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { itemFinder, type SavedTrade, toSavedTrade } from "#app/features/trade-history/saved-trade.ts";
import { hearOtherTabs, tellOtherTabs } from "#app/features/trade-history/trade-news.ts";
import {
  deleteTrade,
  listTotals,
  listTrades,
  type TotalsRecord,
  TRADES_A_PAGE,
  type TradeRecord,
} from "#app/features/trade-history/trade-queries.ts";
import { showToast } from "#app/ui/toast-store.ts";
import type { PageConfiguration } from "#domain/field-visibility.ts";

type Reading = {
  records: TradeRecord[];
  hasOlder: boolean;
  totals: TotalsRecord[];
  /** The catalogue of today; null when it could not be read. */
  items: CalculatorItem[] | null;
  configuration: PageConfiguration;
};

export type Trades = {
  /** `undefined` while they are read, null when they cannot be. */
  trades: SavedTrade[] | null | undefined;
  configuration: PageConfiguration;
  /** Of all trades, oldest first, also of those that are not read yet. */
  totals: readonly TotalsRecord[];
  hasOlder: boolean;
  readOlder(): Promise<void>;
  /** Deletes and says what came of it; the trade stays when it failed (8.error.22, 8.success.08). */
  remove(trade: SavedTrade): Promise<void>;
};

/** A person's saved trades, newest first, read on page by page; other tabs' saves and deletes are followed. */
export function useTrades(userId: string): Trades {
  const site = useSiteConfig();
  const [reading, setReading] = useState<Reading | null>();
  const change = useCallback(
    (next: (before: Reading) => Partial<Reading>) =>
      setReading((before) => before && { ...before, ...next(before) }),
    [],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another person has another history
  useEffect(() => {
    let isCurrent = true;
    openSession(site)
      .then(readAll)
      .catch(() => null)
      .then((read) => {
        if (!isCurrent) return;
        setReading(read);
        if (!read) showFailure("Failed to load trade history");
      });
    return () => {
      isCurrent = false;
    };
  }, [site, userId]);

  useEffect(
    () =>
      hearOtherTabs(async (news) => {
        if ("deleted" in news) return change((before) => without(before, news.deleted));
        const read = await openSession(site)
          .then(readNewest)
          .catch(() => null);
        if (read)
          change(({ records }) => ({ totals: read.totals, records: withNewest(records, read.records) }));
      }),
    [site, change],
  );

  async function readOlder(): Promise<void> {
    const last = reading?.records.at(-1);
    const older = await openSession(site)
      .then((client) => listTrades(client, last))
      .catch(() => null);
    if (!older) return showFailure("Failed to load trade history");
    change(({ records }) => ({ records: [...records, ...older], hasOlder: older.length === TRADES_A_PAGE }));
  }

  async function remove({ id }: SavedTrade): Promise<void> {
    const isDeleted = await openSession(site)
      .then((client) => deleteTrade(client, id))
      .catch(() => false);
    if (!isDeleted) return showFailure("Failed to delete trade");
    change((before) => without(before, id));
    tellOtherTabs({ deleted: id });
    showToast({ title: "Trade deleted successfully" });
  }

  const trades = useMemo(() => {
    if (!reading) return reading;
    const find = reading.items && itemFinder(reading.items);
    return reading.records.map((record) => toSavedTrade(record, find));
  }, [reading]);

  return {
    trades,
    configuration: reading?.configuration ?? null,
    totals: reading?.totals ?? [],
    hasOlder: reading?.hasOlder ?? false,
    readOlder,
    remove,
  };
}

async function readAll(client: SessionClient): Promise<Reading | null> {
  const [records, totals, items, configuration] = await Promise.all([
    listTrades(client),
    listTotals(client),
    listCalculatorItems(client),
    findPageConfiguration(client, "trade_history"),
  ]);
  return records && { records, totals, items, configuration, hasOlder: records.length === TRADES_A_PAGE };
}

async function readNewest(client: SessionClient): Promise<Pick<Reading, "records" | "totals"> | null> {
  const [records, totals] = await Promise.all([listTrades(client), listTotals(client)]);
  return records && { records, totals };
}

function without({ records, totals }: Reading, deleted: string): Pick<Reading, "records" | "totals"> {
  const isLeft = ({ id }: { id: string }) => id !== deleted;
  return { records: records.filter(isLeft), totals: totals.filter(isLeft) };
}

function withNewest(records: readonly TradeRecord[], newest: readonly TradeRecord[]): TradeRecord[] {
  const known = new Set(records.map(({ id }) => id));
  return [...newest.filter(({ id }) => !known.has(id)), ...records];
}

function showFailure(description: string): void {
  showToast({ title: "Error", description, variant: "destructive" });
}
