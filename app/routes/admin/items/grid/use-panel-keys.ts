import { type RefObject, useEffect, useRef } from "react";
import type { GridKeys } from "./press-grid-key.ts";
import type { Grid } from "./use-grid.ts";

const TYPING = "input, textarea, select, dialog, [role=grid]";

/** Shortcuts that also work outside the grid: if nothing, or a button of the panel, has focus. */
export function usePanelKeys(
  section: RefObject<HTMLElement | null>,
  keys: GridKeys,
  steps: Grid["steps"],
): void {
  const latest = useRef({ keys, steps });
  latest.current = { keys, steps };
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const target = event.target as HTMLElement;
      const panel = section.current;
      const isHere = target === document.body || panel?.contains(target);
      if (!isHere || !panel?.checkVisibility() || target.closest(TYPING) || event.altKey) return;
      if (document.querySelector("dialog[open]")) return;
      const act = actOf(event, latest.current.keys, latest.current.steps);
      if (act) event.preventDefault();
      act?.();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [section]);
}

function actOf(event: KeyboardEvent, keys: GridKeys, steps: Grid["steps"]): (() => void) | undefined {
  const { key, shiftKey } = event;
  if (!event.ctrlKey && !event.metaKey) return { "/": keys.find, "?": keys.help }[key];
  const undoOrRedo = shiftKey ? steps.redo : steps.undo;
  return { z: undoOrRedo, y: steps.redo, enter: keys.publish }[key.toLowerCase()];
}
