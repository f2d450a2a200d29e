import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { emptyTrade, formatTrade, parseTrade, type Trade } from "#domain/trade-url.ts";
import type { ViewMode } from "#domain/view-mode.ts";
import { keepKnown, pickItem, removeItem, type SlotPlace, setMode } from "./trade-moves.ts";

/** The trade that the address holds, and the moves that change it. */
export type TradeControls = {
  trade: Trade;
  pick(place: SlotPlace, slug: string): void;
  remove(place: SlotPlace): void;
  setMode(place: SlotPlace, mode: ViewMode): void;
  reset(): void;
  /** Puts a whole trade back, as after an undone reset. */
  restore(trade: Trade): void;
};

/**
 * The address is the only place where the trade lives, so that reload, back and a shared link restore it (decision
 * 10). Filling and emptying slots are steps that Back undoes; switching a mode is not. `isKnown` tells which slugs
 * are items, null while none could be loaded: then nothing is dropped.
 */
export function useTrade(isKnown: ((slug: string) => boolean) | null): TradeControls {
  const { search } = useLocation();
  const navigate = useNavigate();
  const [ahead, setAhead] = useState<{ of: string; trade: Trade } | null>(null);
  // A move shows at once; the address follows a moment later, and from then on it speaks.
  const written = ahead?.of === search ? ahead.trade : parseTrade(search);
  const trade = isKnown ? keepKnown(written, isKnown) : written;

  // The next move starts here, also when it comes before the last one's navigation has been rendered.
  const latest = useRef(trade);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new address is a new trade
  useEffect(() => {
    latest.current = trade;
    setAhead(null);
  }, [search]);

  function show(next: Trade, replace = false) {
    if (formatTrade(next) === formatTrade(latest.current)) return;
    latest.current = next;
    setAhead({ of: search, trade: next });
    navigate({ search: formatTrade(next) }, { replace, preventScrollReset: true });
  }

  return {
    trade,
    pick: (place, slug) => show(pickItem(latest.current, place, slug)),
    remove: (place) => show(removeItem(latest.current, place)),
    setMode: (place, mode) => show(setMode(latest.current, place, mode), true),
    reset: () => show(emptyTrade()),
    restore: (earlier) => show(earlier),
  };
}
