import { useEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { emptyTrade, formatTrade, parseTrade, type Trade } from "#domain/trades/trade-url.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import { addOneMore, pickItem, removeItem, type SlotPlace, setMode } from "./trade-moves.ts";

/** The trade that the address holds, and the moves that change it. */
export type TradeControls = {
  trade: Trade;
  pick(place: SlotPlace, slug: string, mode?: ViewMode): void;
  addOneMore(place: SlotPlace): void;
  remove(place: SlotPlace): void;
  setMode(place: SlotPlace, mode: ViewMode): void;
  reset(): void;
  /** Puts a whole trade in place of this one. */
  fill(make: (before: Trade) => Trade): void;
  /** Takes back the last move that took something away, as its button says; null after any other one. */
  undo: { label: string; run(): void } | null;
};

/** What a move took away: the trade before it, and the address that it led to. */
type Lost = { label: string; before: Trade; after: string };

/** A move whose address is under way: shown at once, from the place in the history where it was made. */
type Ahead = { trade: Trade; search: string; from: string };

/**
 * The address is the only place where the trade lives, so that reload, back and a shared link restore it (decision
 * 10). Filling and emptying slots are steps that Back undoes; switching a mode is not. What it names and the catalogue
 * does not have stays in it.
 */
export function useTrade(): TradeControls {
  const { search, key } = useLocation();
  const byHistory = useNavigationType() === "POP";
  const navigate = useNavigate();
  const [ahead, setAhead] = useState<Ahead | null>(null);

  const overtaken = byHistory && key !== ahead?.from;
  const trade = ahead && ahead.search !== search && !overtaken ? ahead.trade : parseTrade(search);

  // Once the address has caught up, it alone speaks again.
  useEffect(() => setAhead((move) => (move?.search === search ? null : move)), [search]);

  // Two moves before the next render follow each other, the second does not undo the first.
  const latest = useRef(trade);
  latest.current = trade;

  function show(next: Trade, replace = false) {
    const address = formatTrade(next);
    if (address === formatTrade(latest.current)) return;
    latest.current = next;
    setAhead({ trade: next, search: address, from: key });
    navigate({ search: address }, { replace, preventScrollReset: true });
  }

  /** A move that takes something away, which can be taken back until the next one. */
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
