import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { useEditBase } from "#app/routes/admin/shared/use-edit-base.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { categorySchema } from "#domain/categories/category.ts";
import { CategoryFields } from "./category-fields.tsx";
import { type Category, saveCategory } from "./category-writes.ts";

type EditCategoryFormProps = { category: Category; onSaved(): void; onCancel(): void; onFailed(): void };

/**
 * A row of the list as a form; it goes away when it is saved or cancelled, and only then (4.adminedit.02). Nothing is
 * written over what somebody else saved meanwhile before that was shown.
 */
export function EditCategoryForm({ category, onSaved, onCancel, onFailed }: EditCategoryFormProps) {
  const { element, initial, base, isStale, take, keep } = useEditBase(category);
  const { form, button, isBusy, isSaved } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: categorySchema,
    send: (client, input) => saveCategory(client, base, input),
    done() {
      showToast({ title: "Category updated" });
      onSaved();
    },
    failed: onFailed,
  });
  const mustChoose = isStale && !isBusy && !isSaved;
  return (
    <Form
      {...form}
      ref={element}
      aria-label={`Edit ${base.name}`}
      className="grid gap-4 py-4"
      onKeyDown={(event) => event.key === "Escape" && onCancel()}
    >
      <CategoryFields key={initial.updated_at} initial={initial} />
      {mustChoose && (
        <SavedMeanwhile what="category" onTake={take} onKeep={keep}>
          It is {category.icon} {category.name} now, with the slug {category.slug} and the order{" "}
          {category.display_order}.
        </SavedMeanwhile>
      )}
      <div className="flex flex-wrap gap-3">
        <Button {...button} variant="primary" disabled={mustChoose}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </Form>
  );
}
