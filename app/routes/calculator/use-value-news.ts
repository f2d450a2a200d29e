import { useState } from "react";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { figuresOf } from "#domain/values/view-mode.ts";
import type { FilledSlot } from "./offer.ts";

type Items = ReadonlyMap<string, CalculatorItem>;

/**
 * A sentence for each value of the trade's items that changed while the page stood open; empty when there is none, and
 * when the trade has become another one since.
 */
export function useValueNews(items: Items, slots: readonly FilledSlot[], trade: string): string {
  const [known, setKnown] = useState(items);
  const [news, setNews] = useState({ trade: "", text: "" });
  if (known !== items) {
    setKnown(items);
    const text = describeChanges(known, slots);
    if (text) setNews({ trade, text });
  }
  return news.trade === trade ? news.text : "";
}

function describeChanges(known: Items, slots: readonly FilledSlot[]): string {
  const sentences = slots.map((slot) => {
    const before = known.get(slot.item.slug);
    if (!before) return "";
    const [was, is] = [before, slot.item].map((item) => figuresOf(item, slot.mode).value.text);
    const name = slot.mode === "permanent" ? `Permanent ${slot.item.name}` : slot.item.name;
    return was === is ? "" : `${name} went from ${was} to ${is}.`;
  });
  return [...new Set(sentences)].join(" ").trim();
}
