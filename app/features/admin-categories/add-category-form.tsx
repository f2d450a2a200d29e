import { useEffect, useRef } from "react";
import { Button } from "#app/ui/button.tsx";
import { showToast } from "#app/ui/toast-store.ts";
import { categorySchema } from "#domain/category.ts";
import { parseForm } from "../admin/parse-form.ts";
import { useAdminForm } from "../admin/use-admin-form.ts";
import { CategoryFields } from "./category-fields.tsx";
import { addCategory, placeCategoryError } from "./category-writes.ts";

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
  const { form, faults, isBusy } = useAdminForm({
    read: (data) => parseForm(categorySchema, Object.fromEntries(data)),
    save: addCategory,
    placeError: placeCategoryError,
    done() {
      showToast({ title: "Category created" });
      onAdded();
    },
  });
  return (
    <form {...form} ref={element} aria-label="Add category" className="grid gap-4">
      <CategoryFields faults={faults} initial={{ name: "", slug: "", icon: "", display_order: nextOrder }} />
      <Button type="submit" variant="primary" disabled={isBusy} className="justify-self-start">
        Add Category
      </Button>
    </form>
  );
}
