import { useEffect, useState } from "react";
import { DateText } from "#app/features/items/date-text.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import { openSession } from "#app/features/session/open-session.ts";
import { useSiteConfig } from "#app/features/site/use-site-config.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { Skeleton } from "#app/ui/skeleton.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { describeChange, isLargeChange } from "#domain/large-change.ts";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/view-mode.ts";
import { ConfirmDialog } from "../admin/confirm-dialog.tsx";
import { useAct } from "../admin/use-act.ts";
import { type LedgerRow, listLedger, updateItem } from "./admin-item-queries.ts";
import { canUndo, valuesBefore } from "./undo-change.ts";
import { useUndoneRow } from "./use-undone-row.ts";

type LedgerDialogProps = { item: Item | null; onClose(): void; onChanged(item: Item): void };

/** Every change of an item's values: what, why, who, when; the last of each mode can be undone by a new one. */
export function LedgerDialog({ item, onClose, onChanged }: LedgerDialogProps) {
  return (
    <Dialog open={item !== null} onClose={onClose} title={`Ledger of ${item?.name ?? ""}`} size="wide">
      {item && <Ledger item={item} onChanged={onChanged} />}
    </Dialog>
  );
}

function Ledger({ item, onChanged }: { item: Item; onChanged(item: Item): void }) {
  const site = useSiteConfig();
  const [rows, setRows] = useState<LedgerRow[] | null>();
  const [asked, setAsked] = useState<LedgerRow | null>(null);
  const [undone, setUndone] = useState<number | null>(null);
  const { isBusy, act } = useAct();
  const table = useUndoneRow(undone, !isBusy && !asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever the item was edited
  useEffect(() => {
    openSession(site)
      .then((client) => listLedger(client, item.id))
      .then(setRows, () => setRows(null));
  }, [site, item.id, item.updated_at]);

  async function undo(row: LedgerRow) {
    const { old_value, new_value } = row;
    setUndone(row.id);
    await act(async (client) => {
      const change_reason = `Undo of ${describeChange(old_value, new_value)}`;
      const before = valuesBefore(row, rows ?? [], item);
      const saved = await updateItem(client, item, { ...before, change_reason });
      if (!saved) throw new Error(`${item.name} was changed meanwhile: look at its ledger again.`);
      onChanged(saved);
      showToast({
        title: "Item updated",
        description: `${item.name} is back to ${old_value ?? "no value"}.`,
      });
    });
    setAsked(null);
  }

  const ask = (row: LedgerRow) =>
    isLargeChange(row.new_value, row.old_value) ? setAsked(row) : void undo(row);

  if (rows === undefined) return <Skeleton className="h-64" />;
  if (rows === null) return <p role="alert">The ledger can't be read right now. Please try again.</p>;
  if (rows.length === 0) return <p className="text-muted">No value of this item has been recorded yet.</p>;
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
              <td className="text-muted">{row.reason}</td>
              <td className="text-muted">{row.profiles?.username}</td>
              <td>
                {canUndo(row, rows, item) && (
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
