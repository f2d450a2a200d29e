import type { Item } from "#app/features/items/item-queries.ts";
import { deleteItem } from "#app/routes/admin/items/admin-item-queries.ts";
import { dropDraft } from "#app/routes/admin/items/edit/item-drafts.ts";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";

/** Asks before an item is deleted; null while nothing is asked. */
export function DeleteItem({ item, onClose }: { item: Item | null; onClose(): void }) {
  const { isBusy, act } = useAct("items");
  async function remove({ id, name }: Item) {
    await act(async (client) => {
      if (!(await deleteItem(client, id)))
        throw new Error(`${name} was already deleted, or you are no longer an admin.`);
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
