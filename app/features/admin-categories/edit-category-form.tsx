import { useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { categorySchema } from "#domain/category.ts";
import { parseForm } from "../admin/parse-form.ts";
import { SavedMeanwhile } from "../admin/saved-meanwhile.tsx";
import { useAdminForm } from "../admin/use-admin-form.ts";
import { useEditBase } from "../admin/use-edit-base.ts";
import { CategoryFields } from "./category-fields.tsx";
import { type Category, placeCategoryError, saveCategory } from "./category-writes.ts";

type EditCategoryFormProps = { category: Category; onSaved(): void; onCancel(): void; onFailed(): void };

/**
 * A row of the list as a form; it goes away when it is saved or cancelled, and only then (4.adminedit.02). Nothing is
 * written over what somebody else saved meanwhile before that was shown.
 */
export function EditCategoryForm({ category, onSaved, onCancel, onFailed }: EditCategoryFormProps) {
  const { element, initial, base, isStale, take, keep } = useEditBase(category);
  const [isSaved, setSaved] = useState(false);
  const { form, faults, isBusy } = useAdminForm({
    read: (data) => parseForm(categorySchema, Object.fromEntries(data)),
    save: (client, input) => saveCategory(client, base, input),
    placeError: placeCategoryError,
    done() {
      setSaved(true);
      showToast({ title: "Category updated" });
      onSaved();
    },
    failed: onFailed,
  });
  const mustChoose = isStale && !isBusy && !isSaved;
  return (
    <form
      {...form}
      ref={element}
      aria-label={`Edit ${base.name}`}
      className="grid gap-4 py-4"
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <CategoryFields key={initial.updated_at} faults={faults} initial={initial} />
      {mustChoose && (
        <SavedMeanwhile what="category" onTake={take} onKeep={keep}>
          It is {category.icon} {category.name} now, with the slug {category.slug} and the order{" "}
          {category.display_order}.
        </SavedMeanwhile>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={isBusy || mustChoose}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
