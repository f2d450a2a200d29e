import { useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { listImports } from "#app/routes/admin/items/admin-item-queries.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { Moment } from "#app/routes/admin/shared/moment.tsx";
import { Button } from "#app/ui/button.tsx";

type LastImportProps = {
  items: readonly Item[];
  isBusy: boolean;
  onUndo(id: string): Promise<unknown>;
};

/**
 * The latest import that can be undone, whoever made it: the dialog that wrote it may be closed, and its answer may have
 * been lost. One whose first item has changed since, as by undoing it, is not offered.
 */
export function LastImport({ items, isBusy, onUndo }: LastImportProps) {
  const { data: imports = [] } = useRead(["item_imports"], listImports);
  // What the user was asked about, whatever others import or edit meanwhile.
  const [asked, setAsked] = useState<(typeof imports)[number] | null>(null);
  const last = imports.find(({ item_id, left_at }) =>
    items.some(({ id, updated_at }) => id === item_id && updated_at === left_at),
  );
  return (
    <>
      {last && (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p>
            Latest import that can be undone: <Moment at={last.imported_at} />
          </p>
          <Button size="sm" disabled={isBusy} onClick={() => setAsked(last)}>
            Undo this import
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asked !== null}
        title="Undo this import?"
        confirm="Undo it"
        isBusy={isBusy}
        onConfirm={() => asked && void onUndo(asked.id).then(() => setAsked(null))}
        onClose={() => setAsked(null)}
      >
        All of its items become what they were before {asked && <Moment at={asked.imported_at} />}, and those
        that it added go to the archive.
      </ConfirmDialog>
    </>
  );
}
