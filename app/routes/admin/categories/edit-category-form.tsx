import { useRefresh } from "#app/features/live/use-read.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { useFirstField, useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { categorySchema } from "#domain/categories/category.ts";
import { CategoryFields } from "./category-fields.tsx";
import { type Category, saveCategory } from "./category-writes.ts";

type EditCategoryFormProps = { category: Category; onClose(): void };

/** A row of the list as a form; it goes away when it is saved or cancelled, and only then (4.adminedit.02). */
export function EditCategoryForm({ category, onClose }: EditCategoryFormProps) {
  const refresh = useRefresh();
  const { form, button, element, initial, base, isStale, take, keep } = useRowForm(category, {
    schema: categorySchema,
    send: saveCategory,
    done() {
      showToast({ title: "Category updated" });
      return refresh("categories").then(onClose);
    },
    failed: () => void refresh("categories"),
  });
  useFirstField(element, base);
  return (
    <Form
      {...form}
      ref={element}
      aria-label={`Edit ${base.name}`}
      className="grid gap-4 py-4"
      onKeyDown={(event) => event.key === "Escape" && onClose()}
    >
      <CategoryFields key={initial.updated_at} initial={initial} />
      {isStale && (
        <SavedMeanwhile what="category" onTake={take} onKeep={keep}>
          It is {category.icon} {category.name} now, with the slug {category.slug} and the order{" "}
          {category.display_order}.
        </SavedMeanwhile>
      )}
      <div className="flex flex-wrap gap-3">
        <Button {...button} variant="primary" disabled={isStale}>
          Save
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </Form>
  );
}
