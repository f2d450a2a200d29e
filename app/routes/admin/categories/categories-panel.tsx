import { useState } from "react";
import { readCategories } from "#app/features/categories/category-queries.ts";
import { useRead, useRefresh } from "#app/features/live/use-read.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { SectionCard } from "#app/ui/section-card.tsx";
import { LIMITS } from "#domain/text/limits.ts";
import { AddCategoryForm } from "./category-forms.tsx";
import { CategoryList } from "./category-list.tsx";
import type { Category } from "./category-writes.ts";

/** Manage Categories (2.admin.10 to .13). */
export default function CategoriesPanel() {
  const categories = useRead(["categories"], readCategories);
  const refresh = useRefresh();
  const [added, setAdded] = useState(0);
  return (
    <div className="grid grid-cols-1 gap-5">
      <SectionCard title="Add New Category">
        <ReadState read={categories} what="Categories">
          {(data) => (
            // A new form after each added category, with the next order.
            <AddCategoryForm
              key={added}
              nextOrder={orderAfter(data)}
              isNext={added > 0}
              onAdded={() => refresh("categories").then(() => setAdded(added + 1))}
            />
          )}
        </ReadState>
      </SectionCard>
      {categories.data && (
        <SectionCard title="Categories">
          <p className="text-muted">In the order of their tabs on the values page.</p>
          <CategoryList categories={categories.data} />
        </SectionCard>
      )}
    </div>
  );
}

function orderAfter(categories: readonly Category[]): number {
  const last = Math.max(0, ...categories.map(({ display_order }) => display_order));
  return Math.min(last + 1, LIMITS.category.displayOrder.max);
}
