import { useEffect, useRef, useState } from "react";
import { useKeptTexts } from "#app/features/browser-storage/use-kept-texts.ts";
import { useRefresh } from "#app/features/live/use-read.ts";
import { useSession } from "#app/features/session/use-session.ts";
import { useSessionForm } from "#app/features/session/use-session-form.ts";
import { SavedMeanwhile } from "#app/routes/admin/shared/saved-meanwhile.tsx";
import { useRepeatable } from "#app/routes/admin/shared/use-repeatable.ts";
import { useFirstField, useRowForm } from "#app/routes/admin/shared/use-row-form.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/form/form.tsx";
import { TextField } from "#app/ui/form/text-field.tsx";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { categorySchema, defaultCategorySlug } from "#domain/categories/category.ts";
import { addCategory, type Category, findCategory, saveCategory } from "./category-writes.ts";

type CategoryFieldsProps = {
  /** The fields' initial values. */
  initial: Pick<Category, "name" | "slug" | "icon" | "display_order">;
};

/** A category's four fields, the same for adding and editing (5.category.07). */
function CategoryFields({ initial }: CategoryFieldsProps) {
  const [name, setName] = useState(initial.name);
  const field = (key: keyof typeof initial) => ({
    name: key,
    autoComplete: "off",
    ...(key === "name" ? {} : { defaultValue: String(initial[key]) }),
  });
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(6.5rem,100%),1fr))] items-start gap-4 sm:grid-cols-[2fr_2fr_1fr_1fr]">
      <TextField
        label="Name"
        className="col-span-full sm:col-span-1"
        required
        {...field("name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Slug"
        className="col-span-full sm:col-span-1"
        {...field("slug")}
        placeholder={defaultCategorySlug(name)}
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField label="Icon" {...field("icon")} hint="An emoji" />
      <TextField label="Display order" required {...field("display_order")} inputMode="numeric" />
    </div>
  );
}

type AddCategoryFormProps = {
  /** The display order after the last one. */
  nextOrder: number;
  /** Whether one was just added, so that the next can be typed at once. */
  isNext: boolean;
  /** Resolves when a new form has taken this one's place. */
  onAdded(): Promise<void>;
};

export function AddCategoryForm({ nextOrder, isNext, onAdded }: AddCategoryFormProps) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isNext) element.current?.querySelector("input")?.focus();
  }, [isNext]);
  const forget = useKeptTexts(element, `category by ${useSession().session?.user.id}`);
  const { send } = useRepeatable({ add: addCategory, find: findCategory });
  const { form, button } = useSessionForm({
    invalidTitle: "Validation Error",
    schema: categorySchema,
    send,
    async done() {
      forget();
      await onAdded();
      showToast({ title: "Category created" });
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

/** A row of the list as a form; it closes only when saved or cancelled (4.adminedit.02). */
export function EditCategoryForm({ category, onClose }: { category: Category; onClose(): void }) {
  const refresh = useRefresh();
  const { form, button, isBusy, element, initial, base, isStale, take, keep, choices } = useRowForm(
    category,
    {
      schema: categorySchema,
      send: saveCategory,
      done() {
        showToast({ title: "Category updated" });
        return refresh("categories").then(onClose);
      },
      failed: () => void refresh("categories"),
    },
  );
  useFirstField(element, choices);
  return (
    <Form
      {...form}
      ref={element}
      aria-label={`Edit ${base.name}`}
      className="grid gap-4 py-4"
      onKeyDown={(event) => event.key === "Escape" && !isBusy && onClose()}
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
        <Button disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
      </div>
    </Form>
  );
}
