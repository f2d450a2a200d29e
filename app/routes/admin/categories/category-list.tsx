import { useState } from "react";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useEditedRow } from "#app/routes/admin/shared/use-edited-row.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { Button } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { EditCategoryForm } from "./category-forms.tsx";
import { type Category, deleteCategory } from "./category-writes.ts";

/** The categories in the order of their tabs: each can be moved, edited in place and deleted. */
export function CategoryList({ categories }: { categories: readonly Category[] }) {
  const { isBusy, act } = useAct("categories");
  const [editing, setEditing] = useEditedRow(categories, "category");
  const list = useReturnedFocus<HTMLUListElement>(editing);
  const [deleting, setDeleting] = useState<Category | null>(null);
  const caught = useFocusFallback(categories, deleting);
  const [dragged, setDragged] = useState<Category | null>(null);

  async function move(category: Category, to: number) {
    const from = categories.indexOf(category);
    if (from < 0 || from === to || !categories[to]) return;
    const ordered = categories.toSpliced(from, 1).toSpliced(to, 0, category);
    const focused = document.activeElement;
    await act(
      // Refused if categories were added or deleted meanwhile.
      (client) => client.rpc("order_categories", { ids: ordered.map(({ id }) => id) }).throwOnError(),
      "Category updated",
      `${category.name} is number ${to + 1} of ${categories.length} now.`,
    );
    // A row that is moved within the document loses focus.
    if (focused instanceof HTMLElement && list.current?.contains(focused)) focused.focus();
  }

  return (
    <div {...caught}>
      <ul ref={list} className="divide-y divide-line">
        {categories.map((category, index) => (
          <li
            key={category.id}
            className={classNames(dragged?.id === category.id && "opacity-50")}
            onDragOver={(event) => dragged && event.preventDefault()}
            onDrop={() => dragged && void move(dragged, index)}
          >
            {editing === category.id ? (
              <EditCategoryForm
                category={category}
                // By the time it is saved, the form of another one may be open.
                onClose={() => setEditing((open) => (open === category.id ? null : open))}
              />
            ) : (
              <CategoryRow
                category={category}
                isFirst={index === 0}
                isLast={index === categories.length - 1}
                isBusy={isBusy}
                onMove={(step) => void move(category, index + step)}
                onDrag={setDragged}
                onEdit={() => setEditing(category.id)}
                onDelete={() => setDeleting(category)}
              />
            )}
          </li>
        ))}
      </ul>
      <DeleteCategory category={deleting} onClose={() => setDeleting(null)} />
    </div>
  );
}

function DeleteCategory({ category, onClose }: { category: Category | null; onClose(): void }) {
  const { isBusy, act } = useAct("categories");
  async function remove(doomed: Category) {
    await act((client) => deleteCategory(client, doomed), "Category deleted");
    onClose();
  }
  return (
    <ConfirmDialog
      open={category !== null}
      title={`Delete the category ${category?.name ?? ""}?`}
      confirm="Delete"
      isBusy={isBusy}
      onConfirm={() => category && void remove(category)}
      onClose={onClose}
    >
      <p>Its tab on the values page goes with it. A category that still has items can’t be deleted.</p>
    </ConfirmDialog>
  );
}

type CategoryRowProps = {
  category: Category;
  isFirst: boolean;
  isLast: boolean;
  isBusy: boolean;
  onMove(step: -1 | 1): void;
  /** Dragged by the pointer, to be dropped on another row; null when released. */
  onDrag(category: Category | null): void;
  onEdit(): void;
  onDelete(): void;
};

/** A category in the list. At both ends the arrow buttons stay focusable, so that focus is not lost there. */
function CategoryRow({
  category,
  isFirst,
  isLast,
  isBusy,
  onMove,
  onDrag,
  onEdit,
  onDelete,
}: CategoryRowProps) {
  const { id, name, slug, icon, display_order } = category;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <span className="flex">
        <Arrow
          label={`Move ${name} up`}
          path="m4 11 5-5 5 5"
          isOff={isFirst || isBusy}
          onClick={() => onMove(-1)}
        />
        <Arrow
          label={`Move ${name} down`}
          path="m4 7 5 5 5-5"
          isOff={isLast || isBusy}
          onClick={() => onMove(1)}
        />
      </span>
      <span
        aria-hidden="true"
        draggable={!isBusy}
        title="Drag to another place"
        className="min-w-8 cursor-grab text-center text-2xl"
        onDragStart={() => onDrag(category)}
        onDragEnd={() => onDrag(null)}
      >
        {icon}
      </span>
      <span className="min-room-36 flex-1 wrap-anywhere">
        <span className="block font-semibold">{name}</span>
        <span className="block text-muted text-sm">
          {slug} <span className="figures">· order {display_order}</span>
        </span>
      </span>
      <span className="ml-auto flex gap-2">
        <Button size="sm" data-edits={id} aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </div>
  );
}

type ArrowProps = { label: string; path: string; isOff: boolean; onClick(): void };

function Arrow({ label, path, isOff, onClick }: ArrowProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onClick()}
    >
      <LineIcon path={path} width={2.25} />
    </Button>
  );
}
