import { type RefObject, useEffect, useRef } from "react";
import { writeSheet } from "./model/paste.ts";
import type { Grid } from "./use-grid.ts";

/**
 * Copies and pastes the selection, as spreadsheets do. Browsers fire clipboard events at the document instead of the
 * focused cell, since that is no text field.
 */
export function useClipboard(box: RefObject<HTMLElement | null>, { cells, editing }: Grid): void {
  const latest = useRef({ cells, editing });
  latest.current = { cells, editing };
  useEffect(() => {
    const isHere = () =>
      !latest.current.editing &&
      latest.current.cells.selection &&
      box.current?.contains(document.activeElement);
    function copy(event: ClipboardEvent): void {
      if (!isHere()) return;
      event.clipboardData?.setData("text/plain", writeSheet(latest.current.cells.copied()));
      event.preventDefault();
    }
    function paste(event: ClipboardEvent): void {
      const text = event.clipboardData?.getData("text/plain");
      if (!text || !isHere()) return;
      latest.current.cells.paste(text);
      event.preventDefault();
    }
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, [box]);
}
