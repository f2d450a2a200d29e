import { Link } from "react-router";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { RelatedItem } from "#app/features/items/item-queries.ts";
import { formatValue } from "#domain/value-text.ts";

/** Where to look next: the most valuable neighbours of the item's category. */
export function RelatedItems({
  items,
  category,
}: {
  items: readonly RelatedItem[];
  category: string | null;
}) {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related-items" className="mt-10">
      <h2 id="related-items" className="mb-4">
        {category ? `More ${category}` : "Similar items"}
      </h2>
      <ul className="grid grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-4 lg:grid-cols-6">
        {items.map((item) => (
          <li key={item.slug}>
            <Link
              to={`/fruits/${item.slug}`}
              prefetch="intent"
              className="card card-lift flex h-full flex-col items-center gap-1 p-3 text-center"
            >
              <ItemImage src={item.image_url} size={64} />
              <span className="font-semibold leading-tight">{item.name}</span>
              <span className="figures mt-auto text-sm text-muted">
                <FigureText text={formatValue(item.current_value)} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
