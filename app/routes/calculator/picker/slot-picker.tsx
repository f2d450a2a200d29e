import { type ComponentProps, type Ref, useImperativeHandle, useState } from "react";
import { loadOrTell } from "#app/routes/calculator/load-or-tell.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import type { ItemPicker } from "./item-picker.tsx";

export type OpenPicker = (slot: SlotPlace) => void;

type SlotPickerProps = Omit<ComponentProps<typeof ItemPicker>, "place" | "onClose"> & {
  ref: Ref<OpenPicker>;
  /** Told which slot was pressed while the code is under way, then null. */
  onWait: (slot: SlotPlace | null) => void;
};

/**
 * The picker, whose code comes with the first slot that is pointed at or opened. Which slot waits for an item is known
 * here alone, so that opening and closing draws nothing of the trade again.
 */
export function SlotPicker({ ref, onWait, ...props }: SlotPickerProps) {
  const [place, setPlace] = useState<SlotPlace | null>(null);
  const [Picker, setPicker] = useState<typeof ItemPicker | null>(null);

  useImperativeHandle(ref, () => async (slot) => {
    setPlace(slot);
    if (Picker) return;
    onWait(slot);
    const module = await loadOrTell(loadPicker);
    if (module) setPicker(() => module.ItemPicker);
    else setPlace(null);
    onWait(null);
  });

  return Picker && <Picker {...props} place={place} onClose={() => setPlace(null)} />;
}

const loadPicker = () => import("./item-picker.tsx");

export const preloadPicker = () => void loadPicker().catch(() => undefined);
