import { lazy, Suspense, useEffect, useMemo, useRef, useState } from "react";
import type { CalculatorItem } from "#app/features/items/item-queries.ts";
import { useFullSession, useSession } from "#app/features/session/use-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { type FilledSlot, makeOffer } from "#app/features/trades/offer.ts";
import type { PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatTrade } from "#domain/trades/trade-url.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import type { PickerCategory } from "./picker/category-chips.tsx";
import { type OpenPicker, preloadPicker, SlotPicker } from "./picker/slot-picker.tsx";
import { SAVE_FORM_ID, SaveButton, type SaveState } from "./save/save-button.tsx";
import { OfferPanel } from "./slots/offer-panel.tsx";
import { focusSlot } from "./slots/slot-element.ts";
import { TradeActions } from "./trade-actions.tsx";
import { nextFreeSlot, type SlotPlace } from "./trade-moves.ts";
import { TypedTradeForm } from "./typed/typed-trade-form.tsx";
import { useTrade } from "./use-trade.ts";
import { VerdictCard } from "./verdict/verdict-card.tsx";
import "./calculator.css";
import "./slots/slots.css";
import "./verdict/verdict.css";

// Loaded for signed-in users and for visitors who may sign in; the calculator works without them.
const none = () => ({ default: (_: object) => null });
const SaveTradeForm = lazy(() => import("./save/save-trade-form.tsx").catch(none));
const KeepTradeLink = lazy(() => import("./save/keep-trade-link.tsx").catch(none));

type CalculatorProps = {
  items: readonly CalculatorItem[];
  categories: readonly PickerCategory[];
  /** False if `items` is empty only because they could not be loaded. */
  loaded: boolean;
  configuration: PageConfiguration;
};

/** Both panels, the verdict between them and the picker above. The trade itself lives in the address. */
export function Calculator({ items, categories, loaded, configuration }: CalculatorProps) {
  const bySlug = useMemo(() => new Map(items.map((item) => [item.slug, item])), [items]);
  const controls = useTrade();
  const openPicker = useRef<OpenPicker>(null);
  const [waiting, setWaiting] = useState<SlotPlace | null>(null);
  const { siteName } = useSiteConfig();
  const { status } = useSession();
  const session = useFullSession();
  const [saving, setSaving] = useState<SaveState | null>(null);
  const address = formatTrade(controls.trade);
  const focusNext = useFocusAfterChange(address);
  const known = loaded ? bySlug : null;
  const yours = makeOffer(controls.trade.you, known);
  const theirs = makeOffer(controls.trade.them, known);
  const changes = useValueChanges(bySlug, [...yours.filled, ...theirs.filled], address, configuration);

  const panel = {
    configuration,
    busy: waiting,
    onOpen: (slot: SlotPlace) => openPicker.current?.(slot),
    onMore: controls.addOneMore,
    onMode: controls.setMode,
    onRemove: (slot: SlotPlace) => {
      focusNext(slot);
      controls.remove(slot);
    },
  };

  function pick(place: SlotPlace, slug: string, mode: ViewMode, stays: boolean) {
    const opened = controls.trade[place.side][place.index];
    // What is not in the catalogue is replaced.
    const free = opened && !bySlug.has(opened.slug) ? place : nextFreeSlot(controls.trade, place);
    if (!free) return;
    if (!stays) focusNext(free);
    controls.pick(free, slug, mode);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: coming near only fetches the picker ahead of time
    <div className="calculator" onPointerEnter={preloadPicker} onFocus={preloadPicker}>
      <TypedTradeForm items={items} fill={controls.fill} />
      <OfferPanel side="you" offer={yours} {...panel} />
      <OfferPanel side="them" offer={theirs} {...panel} />
      <VerdictCard
        {...{ yours, theirs, configuration, siteName, changes }}
        saving={
          <Suspense>
            {session && (
              <SaveTradeForm
                key={session.user.id}
                id={SAVE_FORM_ID}
                userId={session.user.id}
                yours={yours}
                theirs={theirs}
                onState={setSaving}
              />
            )}
          </Suspense>
        }
      >
        <TradeActions controls={controls}>
          {(saving || address) && (
            // Its space is reserved before it is known who is here, so that nothing shifts.
            <div className="verdict-keep">
              {saving && <SaveButton {...saving} />}
              <Suspense>
                {!session && status === "known" && <KeepTradeLink yours={yours} theirs={theirs} />}
              </Suspense>
            </div>
          )}
        </TradeActions>
      </VerdictCard>
      <SlotPicker
        {...{ items, categories, configuration, yours, theirs }}
        ref={openPicker}
        onWait={setWaiting}
        onPick={pick}
      />
    </div>
  );
}

/** Filling or emptying a slot removes the control that had focus; its replacement gets it. */
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

/** A sentence for each item of the trade whose value changed while the page was open; reset for another trade. */
function useValueChanges(
  items: Items,
  slots: readonly FilledSlot[],
  trade: string,
  configuration: PageConfiguration,
): string {
  const known = useRef(items);
  const [changes, setChanges] = useState({ trade: "", text: "" });
  useEffect(() => {
    const before = known.current;
    known.current = items;
    if (before === items) return;
    import("./describe-changes.ts").then(
      ({ describeChanges }) => {
        const text = describeChanges(before, slots, configuration);
        if (text) setChanges({ trade, text });
      },
      () => undefined,
    );
  });
  return changes.trade === trade ? changes.text : "";
}
