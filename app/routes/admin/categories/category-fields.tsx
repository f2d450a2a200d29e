import { useState } from "react";
import { TextField } from "#app/ui/text-field.tsx";
import { defaultCategorySlug } from "#domain/categories/category.ts";
import type { Category } from "./category-writes.ts";

type CategoryFieldsProps = {
  /** What stands in the fields at first. */
  initial: Pick<Category, "name" | "slug" | "icon" | "display_order">;
};

/** The four fields of a category, the same for adding and editing (5.category.07). */
export function CategoryFields({ initial }: CategoryFieldsProps) {
  const [name, setName] = useState(initial.name);
  const field = (key: keyof typeof initial) => ({
    name: key,
    autoComplete: "off",
    ...(key === "name" ? {} : { defaultValue: String(initial[key]) }),
  });
  return (
    <div className="grid grid-cols-2 items-start gap-4 sm:grid-cols-[2fr_2fr_1fr_1fr]">
      <TextField
        label="Name"
        className="col-span-2 sm:col-span-1"
        required
        {...field("name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Slug"
        className="col-span-2 sm:col-span-1"
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
