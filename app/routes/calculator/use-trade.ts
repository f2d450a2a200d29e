import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { emptyTrade, formatTrade, parseTrade, type Trade } from "#domain/trades/trade-url.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { addOneMore, pickItem, removeItem, type SlotPlace, setMode } from "./trade-moves.ts";

/** The trade in the address, and the moves that change it. */
export type TradeControls = {
  trade: Trade;
  pick(place: SlotPlace, slug: string, mode?: ViewMode): void;
  addOneMore(place: SlotPlace): void;
  remove(place: SlotPlace): void;
  setMode(place: SlotPlace, mode: ViewMode): void;
  reset(): void;
  /** Replaces the whole trade. */
  fill(make: (before: Trade) => Trade): void;
  /** Undoes the last move if it removed something, with its label; null after any other move. */
  undo: { label: string; run(): void } | null;
};

/** A move that removed something: the trade before it, and the address after it. */
type Lost = { label: string; before: Trade; after: string };

/** A move whose navigation is pending: shown at once, as long as the history entry is the one where it was made. */
type Ahead = { trade: Trade; search: string; from: string };

/**
 * The address is the only place where the trade lives, so that reload, Back and shared links restore it (decision 10).
 * Filling and emptying slots are history entries; switching a mode is not. Unknown items in the address are kept.
 */
export function useTrade(): TradeControls {
  const { search, key } = useLocation();
  const byHistory = useNavigationType() === "POP";
  const navigate = useNavigate();
  const [ahead, setAhead] = useState<Ahead | null>(null);

  const overtaken = byHistory && key !== ahead?.from;
  const trade = ahead && ahead.search !== search && !overtaken ? ahead.trade : parseTrade(search);

  // Once the address has caught up, it is authoritative again.
  useEffect(() => setAhead((move) => (move?.search === search ? null : move)), [search]);

  // Two moves before the next render build on each other.
  const latest = useRef(trade);
  latest.current = trade;

  function show(next: Trade, replace = false) {
    const address = formatTrade(next);
    if (address === formatTrade(latest.current)) return;
    latest.current = next;
    setAhead({ trade: next, search: address, from: key });
    navigate({ search: address }, { replace, preventScrollReset: true });
  }

  /** A move that removed something, which can be undone until the next one. */
  const [lost, setLost] = useState<Lost | null>(null);
  function lose(label: string, next: Trade) {
    const [before, after] = [latest.current, formatTrade(next)];
    if (formatTrade(before) !== after) setLost({ label, before, after });
    show(next);
  }

  const canUndo = lost && lost.after === formatTrade(trade);
  return {
    trade,
    pick: (place, slug, mode) => show(pickItem(latest.current, place, slug, mode)),
    addOneMore: (place) => show(addOneMore(latest.current, place)),
    remove: (place) => lose("Undo remove", removeItem(latest.current, place)),
    setMode: (place, mode) => show(setMode(latest.current, place, mode), true),
    reset: () => lose("Undo reset", emptyTrade()),
    fill: (make) => lose("Undo", make(latest.current)),
    undo: canUndo ? { label: lost.label, run: () => show(lost.before) } : null,
  };
}
