import { type ComponentProps, type Ref, useImperativeHandle, useState } from "react";
import { loadOrNotify } from "#app/routes/calculator/load-or-notify.ts";
import type { SlotPlace } from "#app/routes/calculator/trade-moves.ts";
import type { ItemPicker } from "./item-picker.tsx";

export type OpenPicker = (slot: SlotPlace) => void;

type SlotPickerProps = Omit<ComponentProps<typeof ItemPicker>, "place" | "onClose"> & {
  ref: Ref<OpenPicker>;
  /** Called with the pressed slot while the code is loading, then with null. */
  onWait: (slot: SlotPlace | null) => void;
};

/**
 * The picker, whose code is loaded when a slot is first hovered or opened. Only this component knows which slot is
 * open, so that opening and closing re-renders nothing of the trade.
 */
export function SlotPicker({ ref, onWait, ...props }: SlotPickerProps) {
  const [place, setPlace] = useState<SlotPlace | null>(null);
  const [Picker, setPicker] = useState<typeof ItemPicker | null>(null);

  useImperativeHandle(ref, () => async (slot) => {
    setPlace(slot);
    if (Picker) return;
    onWait(slot);
    const module = await loadOrNotify(loadPicker);
    if (module) setPicker(() => module.ItemPicker);
    else setPlace(null);
    onWait(null);
  });

  return Picker && <Picker {...props} place={place} onClose={() => setPlace(null)} />;
}

const loadPicker = () => import("./item-picker.tsx");

export const preloadPicker = () => void loadPicker().catch(() => undefined);
