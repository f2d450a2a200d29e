import { useEffect, useRef } from "react";

/**
 * Puts the focus back where editing was opened from: on the element within the ref's whose `data-edits` is the id of
 * what was edited. `editing` is that id while its form is open.
 */
export function useReturnedFocus<Within extends HTMLElement>(editing: string | null) {
  const within = useRef<Within>(null);
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (!editing && last.current) {
      within.current?.querySelector<HTMLElement>(`[data-edits="${last.current}"]`)?.focus();
    }
    last.current = editing;
  }, [editing]);
  return within;
}
