import { useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRead } from "#app/features/live/use-read.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useEditedRow } from "#app/routes/admin/shared/use-edited-row.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { Button } from "#app/ui/button.tsx";
import { countOf } from "#domain/text/counts.ts";
import { formatDate } from "#domain/text/dates.ts";
import { UpdateForm } from "./update-form.tsx";
import { deleteGameUpdate, endGameUpdate, type GameUpdate, listGameUpdates } from "./update-queries.ts";

const NONE =
  "No update has been marked yet. Mark one when the game changes: what it touched gets wider ranges.";

/** Game updates: which items each affected, and until when their values count as unsettled. */
export default function UpdatesSection({ items }: { items: readonly Item[] }) {
  const [count, setCount] = useState(0);
  const begin = () => setCount(count + 1);
  return (
    <div className="grid gap-5">
      {/* A new form after each marked update, and after one that is not to be marked. */}
      <UpdateForm key={count} items={items} isNext={count > 0} onDone={begin} onCancel={begin} />
      <ReadState read={useRead(["game_updates"], listGameUpdates)} what="Game updates">
        {(updates) => <UpdateList items={items} updates={updates} />}
      </ReadState>
    </div>
  );
}

function UpdateList({ items, updates }: { items: readonly Item[]; updates: readonly GameUpdate[] }) {
  const [editing, setEditing] = useEditedRow(updates, "update");
  const list = useReturnedFocus<HTMLDivElement>(editing);
  const close = () => setEditing(null);
  return (
    <div ref={list}>
      <RowList rows={updates} empty={NONE} className="grid gap-3" label="Game updates">
        {(update) =>
          editing === update.id ? (
            <li key={update.id}>
              <UpdateForm items={items} update={update} onDone={close} onCancel={close} />
            </li>
          ) : (
            <UpdateEntry key={update.id} update={update} onEdit={() => setEditing(update.id)} />
          )
        }
      </RowList>
    </div>
  );
}

function UpdateEntry({ update, onEdit }: { update: GameUpdate; onEdit(): void }) {
  const { id, name, happened_at, volatile_until, game_update_items: touched } = update;
  const { isBusy, act } = useAct("game_updates");
  const [isAsked, ask] = useState(false);
  const isOver = Date.parse(volatile_until) <= siteNow();

  const end = () =>
    act((client) => endGameUpdate(client, update), "Update ended", `Values after ${name} count as settled.`);
  const remove = () => act((client) => deleteGameUpdate(client, update), "Update deleted");

  return (
    <li className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-semibold">{name}</p>
        <p className="text-muted text-sm">
          {formatDate(happened_at, "UTC")} · {countOf(touched.length, "item")} ·{" "}
          {isOver ? "settled since" : "volatile until"} {formatDate(volatile_until, "UTC")}
        </p>
      </div>
      <span className="flex flex-wrap gap-2">
        <Button size="sm" disabled={isBusy} data-edits={id} aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {!isOver && (
          <Button size="sm" disabled={isBusy} aria-label={`End ${name} now`} onClick={() => void end()}>
            End now
          </Button>
        )}
        <Button size="sm" disabled={isBusy} aria-label={`Delete ${name}`} onClick={() => ask(true)}>
          Delete
        </Button>
      </span>
      <ConfirmDialog
        open={isAsked}
        title={`Delete ${name}?`}
        confirm="Delete it"
        isBusy={isBusy}
        onConfirm={() => void remove()}
        onClose={() => ask(false)}
      >
        <p>Its mark goes from every page and chart, as if it had never been there.</p>
      </ConfirmDialog>
    </li>
  );
}
