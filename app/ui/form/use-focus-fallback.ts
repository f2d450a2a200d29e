import { type FocusEvent, type MouseEvent, useEffect, useRef } from "react";
import { ignoreHeldEnter } from "#app/ui/dialog.tsx";

/**
 * Props of the box around a list, which takes focus when the focused row is removed, so that the keyboard continues
 * there instead of at the top of the page. `rows` must change whenever the list does, `asked` when a dialog about a row
 * opens or closes: if its row was removed, there is no button to return focus to. For the pointer, the row below takes
 * the place of a removed one.
 */
export function useFocusFallback(rows: unknown, asked?: unknown) {
  const box = useRef<HTMLDivElement>(null);
  const hasFocus = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: they tell of the change
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) {
      box.current?.focus({ preventScroll: true });
    }
  }, [rows, asked]);
  return {
    ref: box,
    tabIndex: -1,
    onClickCapture: ignoreSecondClick,
    onKeyDownCapture: ignoreHeldEnter,
    onFocus() {
      hasFocus.current = true;
    },
    // A removed row or a disabled button leaves focus nowhere; a dialog about a row only borrows it.
    onBlur({ relatedTarget }: FocusEvent) {
      if (relatedTarget && !relatedTarget.closest("dialog")) hasFocus.current = false;
    },
  };
}

/** The second click of a double click may hit what took the place of what the first one removed, and nobody has read. */
export function ignoreSecondClick(event: MouseEvent): void {
  if (event.detail < 2 || !(event.target as Element).closest("button")) return;
  event.preventDefault();
  event.stopPropagation();
}
