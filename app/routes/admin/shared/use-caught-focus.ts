import { type FocusEvent, useEffect, useRef } from "react";

/**
 * Props of the box around a list, which catches the focus when the row that had it goes: the keyboard goes on from
 * there, not from the top of the page. `rows` changes whenever the list does, `asked` when a dialog about a row opens
 * or closes: one whose row is gone already has no button to give the focus back to.
 */
export function useCaughtFocus(rows: unknown, asked?: unknown) {
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
    // A row that goes, or a button that is switched off, gives the focus to nobody; a dialog about a row but borrows it.
    onBlur({ relatedTarget }: FocusEvent) {
      if (relatedTarget && !relatedTarget.closest("dialog")) hasFocus.current = false;
    },
  };
}
