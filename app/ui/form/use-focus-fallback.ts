import { type FocusEvent, useEffect, useRef } from "react";

/**
 * Props of the box around a list, which takes focus when the focused row is removed, so that the keyboard continues
 * there instead of at the top of the page. `rows` must change whenever the list does, `asked` when a dialog about a row
 * opens or closes: if its row was removed, there is no button to return focus to.
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
    onFocus() {
      hasFocus.current = true;
    },
    // A removed row or a disabled button leaves focus nowhere; a dialog about a row only borrows it.
    onBlur({ relatedTarget }: FocusEvent) {
      if (relatedTarget && !relatedTarget.closest("dialog")) hasFocus.current = false;
    },
  };
}
