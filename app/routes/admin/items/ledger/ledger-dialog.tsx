import { useEffect, useRef, useState } from "react";
import { describeReason, describeRole } from "#app/features/items/change-reason.ts";
import { DateText } from "#app/features/items/date-text.tsx";
import { EvidenceLink } from "#app/features/items/evidence-link.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { type LedgerRow, listLedger } from "#app/routes/admin/items/admin-item-queries.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { describeChange, isLargeChange } from "#domain/values/large-change.ts";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import { canUndo as isUndoable } from "./undo-change.ts";

type LedgerDialogProps = {
  item: Item | null;
  /** Admins undo single changes; editors undo what they published as one, in Proposals. */
  canUndo: boolean;
  onClose(): void;
};

/** Every change of an item's values: what, why, who, when; the latest of each mode can be undone by a new change. */
export function LedgerDialog({ item, canUndo, onClose }: LedgerDialogProps) {
  return (
    <Dialog open={item !== null} onClose={onClose} title={`Ledger of ${item?.name ?? ""}`} size="wide">
      {item && <Ledger item={item} canUndo={canUndo} />}
    </Dialog>
  );
}

function Ledger({ item, canUndo }: { item: Item; canUndo: boolean }) {
  const ledger = useRead(["item_value_changes", item.id], (client) => listLedger(client, item.id));
  return (
    <ReadState read={ledger} what="The ledger">
      {(rows) =>
        rows.length === 0 ? (
          <p className="text-muted">No value of this item has been recorded yet.</p>
        ) : (
          <LedgerTable item={item} rows={rows} canUndo={canUndo} />
        )
      }
    </ReadState>
  );
}

function LedgerTable({ item, rows, canUndo }: { item: Item; rows: readonly LedgerRow[]; canUndo: boolean }) {
  const [asked, setAsked] = useState<LedgerRow | null>(null);
  const [undone, setUndone] = useState<number | null>(null);
  const { isBusy, act } = useAct("items");
  const table = useUndoneRow(undone, !isBusy && !asked);

  async function undo(row: LedgerRow) {
    const { old_value, new_value } = row;
    const reason = `Undo of ${describeChange(old_value, new_value)}`;
    setUndone(row.id);
    await act(
      (client) => client.rpc("undo_value_change", { change_id: row.id, reason }).throwOnError(),
      "Item updated",
      `${item.name} is back to ${old_value ?? "no value"}.`,
    );
    setAsked(null);
  }

  const ask = (row: LedgerRow) =>
    isLargeChange(row.new_value, row.old_value) ? setAsked(row) : void undo(row);

  return (
    <div className="overflow-x-auto">
      <table ref={table} className="ledger-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Mode</th>
            <th scope="col">Change</th>
            <th scope="col">Reason</th>
            <th scope="col">By</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-change={row.id} tabIndex={-1}>
              <td className="whitespace-nowrap">
                <DateText date={row.changed_at} />
              </td>
              <td>{VIEW_MODE_LABELS[row.mode as ViewMode]}</td>
              <td className="figures whitespace-nowrap font-semibold">
                {describeChange(row.old_value, row.new_value)}
              </td>
              <td className="text-muted">
                {describeReason(row)}{" "}
                <EvidenceLink href={row.evidence_url} picture={row.picture} item={item.name} />
              </td>
              <td className="text-muted">
                {row.changed_by_name}
                <small className="block">{describeRole(row)}</small>
              </td>
              <td>
                {canUndo && isUndoable(row, rows, item) && (
                  <Button
                    size="sm"
                    disabled={isBusy}
                    aria-label={`Undo: back to ${row.old_value ?? "no value"}`}
                    onClick={() => ask(row)}
                  >
                    Undo
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <ConfirmDialog
        open={asked !== null}
        title={`Change ${item.name} by more than half?`}
        confirm="Change it"
        isBusy={isBusy}
        onConfirm={() => asked && void undo(asked)}
        onClose={() => setAsked(null)}
      >
        <p className="figures">{asked && describeChange(asked.new_value, asked.old_value)}</p>
      </ConfirmDialog>
    </div>
  );
}

/**
 * Undoing a change removes its button, and with it the focus. Moves focus, within the table of the ref, to the row
 * whose `data-change` was undone, or if undoing failed, back to its button. `settled` is false while it is in progress.
 */
function useUndoneRow(undone: number | null, settled: boolean) {
  const table = useRef<HTMLTableElement>(null);
  useEffect(() => {
    if (undone === null || !settled || document.activeElement !== document.body) return;
    const row = table.current?.querySelector<HTMLElement>(`[data-change="${undone}"]`);
    (row?.querySelector("button") ?? row)?.focus();
  }, [undone, settled]);
  return table;
}
