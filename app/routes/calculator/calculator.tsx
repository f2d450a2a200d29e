import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type FilledSlot, makeOffer } from "#app/features/trades/offer.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatTrade } from "#domain/trades/trade-url.ts";
import { figuresOf } from "#domain/values/view-mode.ts";
import { useItemPicker } from "./picker/use-item-picker.ts";
import { OfferPanel } from "./slots/offer-panel.tsx";
import { focusSlot } from "./slots/slot-element.ts";
import { TradeActions } from "./trade-actions.tsx";
import type { SlotPlace } from "./trade-moves.ts";
import { useTrade } from "./use-trade.ts";
import { VerdictCard } from "./verdict/verdict-card.tsx";
import "./calculator.css";
import "./slots/slots.css";

// Only for those who can save, or may want to; without it the calculator still calculates.
const SaveTradeForm = lazy(() =>
  import("./save/save-trade-form.tsx").then(
    (module) => ({ default: module.SaveTradeForm }),
    () => ({ default: () => <></> }),
  ),
);

type CalculatorProps = {
  items: readonly CalculatorItem[];
  /** False when `items` is empty only because they could not be loaded. */
  loaded: boolean;
  configuration: PageConfiguration;
};

/** Both panels, the verdict between them and the picker over them. The trade itself lives in the address. */
export function Calculator({ items, loaded, configuration }: CalculatorProps) {
  const bySlug = useMemo(() => new Map(items.map((item) => [item.slug, item])), [items]);
  const controls = useTrade();
  const { place, Picker, open, close, preload } = useItemPicker();
  const { siteName } = useSiteConfig();
  const { status, session } = useSession();
  const address = formatTrade(controls.trade);
  const focusNext = useFocusAfterChange(address);
  const maySave = session || (status === "known" && address);
  const known = loaded ? bySlug : null;
  const yours = makeOffer(controls.trade.you, known);
  const theirs = makeOffer(controls.trade.them, known);
  const changes = useValueChanges(bySlug, [...yours.filled, ...theirs.filled], address);

  const panel = {
    configuration,
    busy: Picker ? null : place,
    onOpen: open,
    onMode: controls.setMode,
    onRemove: (slot: SlotPlace) => {
      focusNext(slot);
      controls.remove(slot);
    },
  };

  function pick(slug: string) {
    if (!place) return;
    focusNext(place);
    controls.pick(place, slug);
    close();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming near only fetches the picker ahead of time
    <div className="calculator" onPointerEnter={preload} onFocus={preload}>
      <div className="calculator-panels">
        <OfferPanel side="you" offer={yours} {...panel} />
        <OfferPanel side="them" offer={theirs} {...panel} />
      </div>
      <VerdictCard {...{ yours, theirs, configuration, siteName, changes }}>
        <TradeActions controls={controls}>
          {maySave && (
            <Suspense>
              <SaveTradeForm yours={yours} theirs={theirs} />
            </Suspense>
          )}
        </TradeActions>
      </VerdictCard>
      {Picker && (
        <Picker
          open={place !== null}
          items={items}
          configuration={configuration}
          onPick={pick}
          onClose={close}
        />
      )}
    </div>
  );
}

/** Filling or emptying a slot takes away the control that had focus; what stands there afterwards gets it. */
function useFocusAfterChange(trade: string) {
  const next = useRef<SlotPlace | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the trade on the page is a new one
  useEffect(() => {
    if (next.current) focusSlot(next.current);
    next.current = null;
  }, [trade]);
  return (place: SlotPlace) => {
    next.current = place;
  };
}

type Items = ReadonlyMap<string, CalculatorItem>;

/**
 * A sentence for each value of the trade's items that changed while the page stood open; empty when there is none, and
 * when the trade has become another one since.
 */
function useValueChanges(items: Items, slots: readonly FilledSlot[], trade: string): string {
  const [known, setKnown] = useState(items);
  const [changes, setChanges] = useState({ trade: "", text: "" });
  if (known !== items) {
    setKnown(items);
    const text = describeChanges(known, slots);
    if (text) setChanges({ trade, text });
  }
  return changes.trade === trade ? changes.text : "";
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
