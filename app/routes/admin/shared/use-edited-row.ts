import { useEffect, useState } from "react";
import { showError } from "#app/ui/toast/toast-store.ts";

/** The id of the row being edited in its place; null, with a message, if it was deleted. */
export function useEditedRow(rows: readonly { id: string }[], what: string) {
  const [editing, setEditing] = useState<string | null>(null);
  useEffect(() => {
    if (!editing || rows.some(({ id }) => id === editing)) return;
    setEditing(null);
    showError(`The ${what} you were editing has been deleted in the meantime.`);
  }, [rows, editing, what]);
  return [editing, setEditing] as const;
}
