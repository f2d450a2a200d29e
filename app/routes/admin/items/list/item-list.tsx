import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import type { Item } from "#app/features/items/item-queries.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSiteNow } from "#app/features/site/use-site-now.ts";
import { deleteItem } from "#app/routes/admin/items/admin-item-queries.ts";
import { EditItemForm } from "#app/routes/admin/items/edit/edit-item-form.tsx";
import { dropDraft, findDraft, listDrafts } from "#app/routes/admin/items/edit/item-drafts.ts";
import { type Catalogue, usePutItem } from "#app/routes/admin/items/use-catalogue.ts";
import { useGrowingList } from "#app/routes/admin/items/use-growing-list.ts";
import { confirmValue } from "#app/routes/admin/items/values/publish-values.ts";
import { valuesDraftKey } from "#app/routes/admin/items/values/use-value-edit.ts";
import { ValueForm } from "#app/routes/admin/items/values/value-form.tsx";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { useAct, useActsInTurn } from "#app/routes/admin/shared/use-act.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { showError } from "#app/ui/toast/toast-store.ts";
import { ItemRow } from "./item-row.tsx";
import { chooseItems, type ListChoice, ListControls } from "./list-controls.tsx";

type ItemListProps = {
  catalogue: Catalogue;
  onLedger(item: Item): void;
  /** Further actions on the whole list. */
  children: ReactNode;
};

/** All items: searched, edited in place, checked, deleted (2.admin.07 to .10); editors change values only (P110). */
export function ItemList({ catalogue, onLedger, children }: ItemListProps) {
  const { items, categories } = catalogue;
  const { editing, drafts, edit, close } = useEditing(items);
  const isAdmin = useSession().isAdmin === true;
  const { choice, setChoice, shown, rows, end } = useShownItems(items, editing?.id ?? null);
  const [deleting, setDeleting] = useState<Item | null>(null);
  const now = useSiteNow();
  const list = useReturnedFocus<HTMLUListElement>(editing?.id ?? null);
  const caught = useFocusFallback(rows, deleting);
  const check = useCheck();
  const names = useMemo(() => new Map(categories.map(({ id, name }) => [id, name])), [categories]);
  const count = shown === items.length ? `${shown} items` : `${shown} of ${items.length} items`;
  return (
    <>
      <ListControls choice={choice} onChoose={setChoice} categories={categories} count={count}>
        {children}
      </ListControls>
      {shown === 0 && <EmptyState title="No items found" level={3} />}
      <div aria-hidden="true" className="item-head">
        {["Item", "Rarity and demand", "Regular", "Permanent", "Checked"].map((heading) => (
          <span key={heading}>{heading}</span>
        ))}
      </div>
      <div {...caught}>
        <ul ref={list} className="item-list" aria-label="Items">
          {rows.map((item) => (
            <li key={item.id} data-item={item.slug}>
              {editing?.id === item.id && !isAdmin ? (
                <ValueForm item={item} focus={editing.focus} onDone={() => close(item.id)} />
              ) : editing?.id === item.id ? (
                <EditedItem
                  item={item}
                  catalogue={catalogue}
                  focus={editing.focus}
                  onClose={() => close(item.id)}
                />
              ) : (
                <ItemRow
                  item={item}
                  category={names.get(item.category_id ?? "") ?? "no category"}
                  hasDraft={drafts.has(isAdmin ? item.id : valuesDraftKey(item.id))}
                  now={now}
                  isWhole={isAdmin}
                  onEdit={edit}
                  onCheck={check}
                  onLedger={onLedger}
                  onDelete={setDeleting}
                />
              )}
            </li>
          ))}
        </ul>
      </div>
      <div ref={end} />
      <DeleteItem item={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

const GONE = "The item you were editing has been deleted in the meantime.";
const STAYS = "What you typed is kept in this browser, and is there again when an admin restores the item.";

/** The item being edited, its first field, and the items with unsaved drafts. */
function useEditing(items: readonly Item[]) {
  const [editing, setEditing] = useState<{ id: string; focus: string } | null>(null);
  const [drafts, setDrafts] = useState(() => new Set(listDrafts()));
  const edit = useCallback((id: string, focus: string) => {
    setDrafts(new Set(listDrafts()));
    setEditing({ id, focus });
  }, []);
  /** Only this item's form: by the time it is saved, another one may be open. */
  function close(id: string) {
    setEditing((open) => (open?.id === id ? null : open));
    setDrafts(new Set(listDrafts()));
  }
  const isGone = editing !== null && !items.some(({ id }) => id === editing.id);
  useEffect(() => {
    if (!(isGone && editing)) return;
    const isTyped = findDraft(editing.id) ?? findDraft(valuesDraftKey(editing.id));
    showError(isTyped ? `${GONE} ${STAYS}` : GONE);
    setEditing(null);
  }, [isGone, editing]);
  return { editing, drafts, edit, close };
}

/** The search and order, the number of matching items, and those that are rendered. */
function useShownItems(items: readonly Item[], editing: string | null) {
  const [choice, setChoice] = useState<ListChoice>({ search: "", category: "", order: "name" });
  // Deferred, so that typing stays fast.
  const shown = useDeferredValue(
    useMemo(() => chooseItems(items, choice, editing), [items, choice, editing]),
  );
  const atLeast = editing ? shown.findIndex(({ id }) => id === editing) + 1 : 0;
  return { choice, setChoice, shown: shown.length, ...useGrowingList(shown, choice, atLeast) };
}

/** A stable function: of a thousand rows, only the changed ones re-render. */
function useCheck(): (item: Item) => void {
  const { act, once } = useActsInTurn("items");
  return useCallback(
    (item) =>
      void once(item.id, () => act((client) => confirmValue(client, item), `${item.name} is still right`)),
    [act, once],
  );
}

type EditedItemProps = { item: Item; catalogue: Catalogue; focus: string; onClose(): void };

function EditedItem({ onClose, ...props }: EditedItemProps) {
  const refresh = useRefresh();
  const put = usePutItem();
  function saved(item: Item) {
    put(item);
    onClose();
  }
  return (
    <EditItemForm
      {...props}
      onSaved={saved}
      onConflict={put}
      onGone={() => void refresh("items")}
      onCancel={onClose}
    />
  );
}

/** Asks before an item is deleted; null while nothing is asked. */
function DeleteItem({ item, onClose }: { item: Item | null; onClose(): void }) {
  const { isBusy, act } = useAct("items");
  async function remove({ id, name }: Item) {
    await act(async (client) => {
      if (!(await deleteItem(client, id)))
        throw new Error(`${name} was already deleted, or you no longer have the role for it.`);
      dropDraft(id);
    }, "Item deleted");
    onClose();
  }
  return (
    <ConfirmDialog
      open={item !== null}
      title={`Delete ${item?.name ?? ""}?`}
      confirm="Delete"
      isBusy={isBusy}
      onConfirm={() => item && void remove(item)}
      onClose={onClose}
    >
      <p>
        Its page disappears for everyone. The item moves to the archive with its image and all of its history,
        and admins can restore it from there.
      </p>
    </ConfirmDialog>
  );
}
