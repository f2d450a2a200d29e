import { useEffect, useRef } from "react";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { categorySchema } from "#domain/categories/category.ts";
import { CategoryFields } from "./category-fields.tsx";
import { addCategory } from "./category-writes.ts";

type AddCategoryFormProps = {
  /** The display order after the last one. */
  nextOrder: number;
  /** Another one was added before: the next may be typed at once. */
  isNext: boolean;
  onAdded(): void;
};

export function AddCategoryForm({ nextOrder, isNext, onAdded }: AddCategoryFormProps) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isNext) element.current?.querySelector("input")?.focus();
  }, [isNext]);
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: categorySchema,
    send: addCategory,
    done() {
      showToast({ title: "Category created" });
      onAdded();
    },
  });
  return (
    <Form {...form} ref={element} aria-label="Add category" className="grid gap-4">
      <CategoryFields initial={{ name: "", slug: "", icon: "", display_order: nextOrder }} />
      <Button {...button} variant="primary" className="justify-self-start">
        Add Category
      </Button>
    </Form>
  );
}
