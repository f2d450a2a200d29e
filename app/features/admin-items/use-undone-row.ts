import { useEffect, useRef } from "react";

/**
 * Undoing a change takes its button away, and the focus with it. Within the table of the ref the row with the
 * `data-change` of what was undone gets it; where the undoing failed, its button. `settled` is false while it is under way.
 */
export function useUndoneRow(undone: number | null, settled: boolean) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (undone === null || !settled || document.activeElement !== document.body) return;
    const row = table.current?.querySelector<HTMLElement>(`[data-change="${undone}"]`);
    (row?.querySelector("button") ?? row)?.focus();
  }, [undone, settled]);
  return table;
}
