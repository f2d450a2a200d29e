import { useEffect, useState } from "react";
import { ConfirmDialog } from "#app/routes/admin/shared/confirm-dialog.tsx";
import { useAct } from "#app/routes/admin/shared/use-act.ts";
import { useFocusFallback } from "#app/routes/admin/shared/use-focus-fallback.ts";
import { useReturnedFocus } from "#app/routes/admin/shared/use-returned-focus.ts";
import { classNames } from "#app/ui/class-names.ts";
import { showError } from "#app/ui/toast/toast-store.ts";
import { EditCategoryForm } from "./category-forms.tsx";
import { CategoryRow } from "./category-row.tsx";
import { type Category, deleteCategory, saveOrder } from "./category-writes.ts";

/** The categories in the order of their tabs: each can be moved, edited in place and deleted. */
export function CategoryList({ categories }: { categories: readonly Category[] }) {
  const { isBusy, act } = useAct("categories");
  const [editing, setEditing] = useEditedCategory(categories);
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
      (client) => saveOrder(client, ordered),
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
              <EditCategoryForm category={category} onClose={() => setEditing(null)} />
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

/** The id of the category being edited; null, with a message, if it was deleted. */
function useEditedCategory(categories: readonly Category[]) {
  const [editing, setEditing] = useState<string | null>(null);
  useEffect(() => {
    if (!editing || categories.some(({ id }) => id === editing)) return;
    setEditing(null);
    showError("The category you were editing has been deleted in the meantime.");
  }, [categories, editing]);
  return [editing, setEditing] as const;
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
