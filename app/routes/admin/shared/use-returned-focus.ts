import { useEffect, useRef } from "react";

/** Returns focus to where editing was opened: the element within the ref whose `data-edits` is the `editing` id. */
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
