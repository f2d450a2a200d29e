import { memo, startTransition, useOptimistic } from "react";
import { Link } from "react-router";
import { ChangeText, NotEnoughData } from "#app/features/items/change-text.tsx";
import { CheckAge } from "#app/features/items/check-age.tsx";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatChange, valueChange } from "#domain/values/value-change.ts";
import { figuresOf, type ViewMode } from "#domain/values/view-mode.ts";
import type { ListedItem } from "./listed-item.ts";

type ItemCardProps = {
  item: ListedItem;
  mode: ViewMode;
  /** Stable from render to render, or the card is drawn again with every keystroke of the search. */
  onMode: (slug: string, mode: ViewMode) => void;
  configuration: PageConfiguration;
  now: number;
  /** In view on arrival. */
  eager?: boolean;
  /** Classes of its place in the grid. */
  place?: string;
};

/** An item in the values list. The whole card is one link, laid under the toggle, which is not part of it. */
export const ItemCard = memo(function ItemCard({
  item,
  mode,
  onMode,
  configuration,
  now,
  eager,
  place = "",
}: ItemCardProps) {
  // The card answers at once; the list, which holds all modes, follows when nothing else waits.
  const [shownMode, showMode] = useOptimistic(mode);
  const changeMode = (next: ViewMode) =>
    startTransition(() => {
      showMode(next);
      onMode(item.slug, next);
    });
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  return (
    <li className={`card card-lift relative flex flex-col gap-2 p-2.5 sm:p-3.5 ${place}`}>
      {shows("image") && (
        <div className="grid place-items-center rounded-md bg-sunken py-2">
          <ItemImage src={item.image} size={96} eager={eager} className="size-20 sm:size-24" />
        </div>
      )}
      <h2 className="text-lg leading-tight">
        <Link
          to={`/fruits/${item.slug}`}
          prefetch="intent"
          aria-label={shows("name") ? undefined : item.name}
          className="after:absolute after:inset-0 after:rounded-[inherit] focus-visible:outline-none focus-visible:after:outline-3 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
        >
          {shows("name") && item.name}
        </Link>
      </h2>
      <div className="flex flex-wrap gap-1">
        {shows("rarity") && <RarityBadge rarity={item.rarity} />}
        {shows("demand") && <DemandBadge demand={item.demand} />}
      </div>
      <CardFigures item={item} mode={shownMode} configuration={configuration} />
      <div className="relative z-10 mt-auto pt-1">
        <ViewModeToggle label={`View mode of ${item.name}`} mode={shownMode} onChange={changeMode} compact />
      </div>
      <p className="text-2xs text-muted">
        <CheckAge checked={item.checked} now={now} />
      </p>
      <p className="text-2xs font-semibold text-link">Click for detailed statistics →</p>
    </li>
  );
});

/** Value, price and change of the mode shown, and the custom fields. */
function CardFigures({ item, mode, configuration }: Pick<ItemCardProps, "item" | "mode" | "configuration">) {
  const { value, previous, price, currency } = figuresOf(item, mode);
  const change = valueChange(value.number, previous.number);
  return (
    <dl className="figures grid gap-0.5 text-sm wrap-anywhere">
      {isVisible(configuration, "current_value") && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-2">
          <dt className="text-muted">Value</dt>
          <dd className="text-xl font-bold">
            <FigureText text={value.text} />
          </dd>
        </div>
      )}
      {isVisible(configuration, "beli_price") && (
        <CardFigure label="Price">
          <FigureText text={price.text} unit={currency} />
        </CardFigure>
      )}
      {isVisible(configuration, "value_change") && (
        <CardFigure label="Change">
          {change ? (
            <ChangeText trend={change.trend} text={formatChange(change.change)} />
          ) : (
            <NotEnoughData />
          )}
        </CardFigure>
      )}
      {item.fields.map((field) => (
        <CardFigure key={field.key} label={field.label}>
          {field.text}
        </CardFigure>
      ))}
    </dl>
  );
}

function CardFigure({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-2">
      <dt className="text-muted">{label}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}
