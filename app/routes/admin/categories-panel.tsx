import { useState } from "react";
import { PanelSection } from "#app/features/admin/panel-section.tsx";
import { ReadState } from "#app/features/admin/read-state.tsx";
import { useTableNews } from "#app/features/admin/table-news.ts";
import { useAdminRead } from "#app/features/admin/use-admin-read.ts";
import { AddCategoryForm } from "#app/features/admin-categories/add-category-form.tsx";
import { CategoryList } from "#app/features/admin-categories/category-list.tsx";
import { type Category, readCategories } from "#app/features/admin-categories/category-writes.ts";
import { LIMITS } from "#domain/limits.ts";

/** Manage Categories (2.admin.10 to .13). */
export function CategoriesPanel() {
  const categories = useAdminRead(readCategories, useTableNews("categories"));
  const [added, setAdded] = useState(0);
  return (
    <div className="grid gap-5">
      <PanelSection title="Add New Category">
        <ReadState read={categories} what="Categories">
          {(data) => (
            // A fresh form after each added category, with the next order.
            <AddCategoryForm
              key={added}
              nextOrder={orderAfter(data)}
              isNext={added > 0}
              onAdded={() => void categories.reload().then(() => setAdded(added + 1))}
            />
          )}
        </ReadState>
      </PanelSection>
      {categories.data && (
        <PanelSection title="Categories">
          <p className="text-muted">In the order of their tabs on the values page.</p>
          <CategoryList categories={categories.data} reload={categories.reload} />
        </PanelSection>
      )}
    </div>
  );
}

function orderAfter(categories: readonly Category[]): number {
  const last = Math.max(0, ...categories.map(({ display_order }) => display_order));
  return Math.min(last + 1, LIMITS.category.displayOrder.max);
}
