import { useEffect, useRef, useState } from "react";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { categorySchema } from "#domain/category.ts";
import { parseForm } from "../admin/parse-form.ts";
import { useAdminForm } from "../admin/use-admin-form.ts";
import { CategoryFields } from "./category-fields.tsx";
import { type Category, placeCategoryError, saveCategory } from "./category-writes.ts";

type EditCategoryFormProps = { category: Category; onSaved(): void; onCancel(): void; onFailed(): void };

/**
 * A row of the list as a form; it goes away when it is saved or cancelled, and only then (4.adminedit.02). What somebody
 * else saved meanwhile is shown before it can be saved over.
 */
export function EditCategoryForm({ category, onSaved, onCancel, onFailed }: EditCategoryFormProps) {
  const [opened] = useState(category);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => element.current?.querySelector("input")?.focus(), []);
  const { form, faults, isBusy } = useAdminForm({
    read: (data) => parseForm(categorySchema, Object.fromEntries(data)),
    save: (client, input) => saveCategory(client, category, input),
    placeError: placeCategoryError,
    done() {
      showToast({ title: "Category updated" });
      onSaved();
    },
    failed: onFailed,
  });
  return (
    <form
      {...form}
      ref={element}
      aria-label={`Edit ${category.name}`}
      className="grid gap-4 py-4"
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <CategoryFields faults={faults} initial={opened} />
      {category.updated_at !== opened.updated_at && (
        <p role="status" className="rounded-md border-focus border-l-4 bg-sunken px-4 py-3">
          Somebody saved this category meanwhile: {category.icon} {category.name}, {category.slug}, order{" "}
          {category.display_order}. Saving again replaces that.
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" disabled={isBusy}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
}
