import { useState } from "react";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
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
    const component = Picker ?? (await loadPicker());
    if (component) return setPicker(() => component);
    setPlace(null);
    showToast({
      title: "Error",
      description: "The list of items did not arrive. Check your connection and try again.",
      variant: "destructive",
    });
  }

  return { place, Picker, open, close: () => setPlace(null), preload: () => void loadPicker() };
}

/** A failed load is tried again by the next call. */
async function loadPicker(): Promise<typeof ItemPicker | null> {
  try {
    return (await import("./item-picker.tsx")).ItemPicker;
  } catch {
    return null;
  }
}
