import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useNow } from "#app/features/items/use-now.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { checkItem, deleteItem } from "#app/routes/admin/items/admin-item-queries.ts";
import { EditItemForm } from "#app/routes/admin/items/edit/edit-item-form.tsx";
import { dropDraft, listDrafts } from "#app/routes/admin/items/edit/item-drafts.ts";
import { type Catalogue, usePutItem } from "#app/routes/admin/items/use-catalogue.ts";
import { useGrowingList } from "#app/routes/admin/items/use-growing-list.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { ItemRow } from "./item-row.tsx";
import { chooseItems, type ListChoice } from "./list-choice.ts";
import { ListControls } from "./list-controls.tsx";

type ItemListProps = {
  catalogue: Catalogue;
  onLedger(item: Item): void;
  /** What else can be done with the whole list. */
  children: ReactNode;
};

/** All items by name: found, edited in place, checked, deleted (2.admin.07 to .10). */
export function ItemList({ catalogue, onLedger, children }: ItemListProps) {
  const { items, categories } = catalogue;
  const [choice, setChoice] = useState<ListChoice>({ search: "", category: "", order: "name" });
  const [editing, setEditing] = useState<{ id: string; focus: string } | null>(null);
  const [deleting, setDeleting] = useState<Item | null>(null);
  const [drafts, setDrafts] = useState(() => new Set(listDrafts()));
  const now = useNow(Date.now());
  const list = useReturnedFocus<HTMLUListElement>(editing?.id ?? null);
  const refresh = useRefresh();
  const put = usePutItem();
  const { isBusy, act } = useAct("items");
  const names = useMemo(() => new Map(categories.map(({ id, name }) => [id, name])), [categories]);
  // Typing stays quick while the rows follow.
  const editingId = editing?.id ?? null;
  const shown = useDeferredValue(
    useMemo(() => chooseItems(items, choice, editingId), [items, choice, editingId]),
  );
  const atLeast = editingId ? shown.findIndex(({ id }) => id === editingId) + 1 : 0;
  const { rows, end } = useGrowingList(shown, choice, atLeast);

  const edit = useCallback((id: string, focus: string) => {
    setDrafts(new Set(listDrafts()));
    setEditing({ id, focus });
  }, []);
  function close() {
    setEditing(null);
    setDrafts(new Set(listDrafts()));
  }
  function gone() {
    void refresh("items");
    close();
    showToast({
      title: "Error",
      description: "This item was deleted meanwhile. What you typed is kept as a draft in this browser.",
      variant: "destructive",
    });
  }

  // One function for all renders: a thousand rows are drawn anew only where they changed.
  const check = useCallback(
    (item: Item) =>
      void act(async (client) => {
        await checkItem(client, item.id);
        showToast({ title: `${item.name} is still right` });
      }),
    [act],
  );

  async function remove({ id, name }: Item) {
    await act(async (client) => {
      if (!(await deleteItem(client, id)))
        throw new Error(`${name} was deleted already, or you are no longer an admin.`);
      dropDraft(id);
      showToast({ title: "Item deleted" });
    });
    setDeleting(null);
  }

  return (
    <>
      <ListControls
        choice={choice}
        onChoose={setChoice}
        categories={categories}
        count={countText(shown.length, items.length)}
      >
        {children}
      </ListControls>
      {shown.length === 0 && <EmptyState title="No items found" level={3} />}
      <div aria-hidden="true" className="item-head">
        <span>Item</span>
        <span>Rarity and demand</span>
        <span>Regular</span>
        <span>Permanent</span>
        <span>Checked</span>
      </div>
      <ul ref={list} className="item-list" aria-label="Items">
        {rows.map((item) => (
          <li key={item.id} data-item={item.slug}>
            {editing?.id === item.id ? (
              <EditItemForm
                item={item}
                catalogue={catalogue}
                focus={editing.focus}
                onSaved={(saved) => {
                  put(saved);
                  close();
                }}
                onNews={put}
                onGone={gone}
                onCancel={close}
              />
            ) : (
              <ItemRow
                item={item}
                category={names.get(item.category_id ?? "") ?? "no category"}
                hasDraft={drafts.has(item.id)}
                now={now}
                onEdit={edit}
                onCheck={check}
                onLedger={onLedger}
                onDelete={setDeleting}
              />
            )}
          </li>
        ))}
      </ul>
      <div ref={end} />
      <ConfirmDialog
        open={deleting !== null}
        title={`Delete ${deleting?.name ?? ""}?`}
        confirm="Delete"
        isBusy={isBusy}
        onConfirm={() => deleting && void remove(deleting)}
        onClose={() => setDeleting(null)}
      >
        <p>
          Its page is gone for everybody. It goes to the archive with its image and the whole history of its
          values; admins can restore it from there.
        </p>
      </ConfirmDialog>
    </>
  );
}

function countText(shown: number, all: number): string {
  return shown === all ? `${all} items` : `${shown} of ${all} items`;
}
