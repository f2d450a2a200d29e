import { useState } from "react";
import { loadOrTell } from "#app/routes/calculator/load-or-tell.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import type { ItemPicker } from "./item-picker.tsx";

/**
 * The picker, whose code comes with the first slot that is pointed at or opened. `place` is the slot that waits for an
 * item; while it is set and `Picker` is null, the code is under way.
 */
export function useItemPicker() {
  const [place, setPlace] = useState<SlotPlace | null>(null);
  const [Picker, setPicker] = useState<typeof ItemPicker | null>(null);

  async function open(slot: SlotPlace) {
    setPlace(slot);
    const module = await loadOrTell(loadPicker);
    if (module) setPicker(() => module.ItemPicker);
    else setPlace(null);
  }

  const preload = () => void loadPicker().catch(() => undefined);
  return { place, Picker, open, close: () => setPlace(null), preload };
}

const loadPicker = () => import("./item-picker.tsx");
