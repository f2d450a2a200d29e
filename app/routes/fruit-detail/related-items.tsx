import { Link } from "react-router";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { RelatedItem } from "#app/features/items/item-queries.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatValue } from "#domain/values/value-text.ts";

type RelatedItemsProps = {
  items: readonly RelatedItem[];
  category: string | null;
  configuration: PageConfiguration;
};

/** Where to look next: the most valuable neighbors of the item's category, with the fields that the page shows. */
export function RelatedItems({ items, category, configuration }: RelatedItemsProps) {
  const showsName = isVisible(configuration, "name");
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
              {isVisible(configuration, "image") && <ItemImage src={item.image_url} size={64} />}
              <span className={showsName ? "font-semibold leading-tight" : "sr-only"}>{item.name}</span>
              {isVisible(configuration, "current_value") && (
                <span className="figures mt-auto text-sm text-muted">
                  <FigureText text={formatValue(item.current_value)} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
