import { memo } from "react";
import { Link } from "react-router";
import { CheckNotice } from "#app/features/items/check-notice.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { RelatedItem } from "#app/features/items/item-queries.ts";
import { useNow } from "#app/features/items/use-now.ts";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { medianDay } from "#domain/text/dates.ts";
import { figuresOf, modeQuery, type ViewMode } from "#domain/values/view-mode.ts";

type RelatedItemsProps = {
  items: readonly RelatedItem[];
  mode: ViewMode;
  category: string | null;
  configuration: PageConfiguration;
  readAt: number;
};

/** The most valuable other items of the category, in the page's mode and with its fields. */
export const RelatedItems = memo(function RelatedItems({
  items,
  mode,
  category,
  configuration,
  readAt,
}: RelatedItemsProps) {
  const now = useNow(readAt);
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="related-items" className="fruit-related">
      <h2 id="related-items">{category ? `More ${category}` : "Similar items"}</h2>
      {shows("current_value") && (
        <p className="text-sm text-muted">
          <CheckNotice
            median={medianDay(items.map(({ values_checked_at }) => values_checked_at.slice(0, 10)))}
            count={items.length}
            now={now}
          />
        </p>
      )}
      <ul className="mt-4 grid grid-cols-2 gap-2.5 sm:grid-cols-3 sm:gap-4 lg:grid-cols-6">
        {items.map((item) => (
          <li key={item.slug}>
            <Link
              to={`/fruits/${item.slug}${modeQuery(mode)}`}
              prefetch="intent"
              className="card card-lift flex h-full flex-col items-center gap-1 p-3 text-center"
            >
              {shows("image") && <ItemImage src={item.image_url} size={64} />}
              <span translate="no" className={shows("name") ? "font-semibold leading-tight" : "sr-only"}>
                {item.name}
              </span>
              {shows("current_value") && (
                <span className="figures mt-auto text-sm text-muted" translate="no">
                  <FigureText text={figuresOf(item, mode).value.text} />
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
});
