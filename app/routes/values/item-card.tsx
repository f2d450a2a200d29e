import { memo, startTransition, useOptimistic } from "react";
import { Link } from "react-router";
import { NotEnoughData, TREND_COLORS, TrendMark } from "#app/features/items/change-text.tsx";
import { CheckAge } from "#app/features/items/check-age.tsx";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDayNear } from "#domain/text/dates.ts";
import {
  formatChange,
  formatPercentage,
  type ValueChange,
  valueChange,
} from "#domain/values/value-change.ts";
import { figuresOf, modeQuery, VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import type { ListedItem } from "./listed-item.ts";
import { linePath } from "./value-line.ts";

type ItemCardProps = {
  item: ListedItem;
  mode: ViewMode;
  /** Must be stable across renders; otherwise the card re-renders with every keystroke of the search. */
  onMode: (slug: string, mode: ViewMode) => void;
  configuration: PageConfiguration;
  now: number;
  /** Whether it is in the initial viewport. */
  eager?: boolean;
  /** Classes for its place in the grid. */
  place: string;
};

/**
 * An item of the values list, as a card or, by CSS alone, as a row. All of it is one link below the mode toggle, which
 * is not part of the link.
 */
export const ItemCard = memo(function ItemCard({
  item,
  mode,
  onMode,
  configuration,
  now,
  eager,
  place,
}: ItemCardProps) {
  // The card responds at once; the list, which holds all modes, updates when idle.
  const [shownMode, showMode] = useOptimistic(mode);
  const changeMode = (next: ViewMode) =>
    startTransition(() => {
      showMode(next);
      onMode(item.slug, next);
    });
  const range = item.ranges[shownMode];
  const shows = (field: Parameters<typeof isVisible>[1]) => isVisible(configuration, field);
  return (
    <li className={`item ${place}`}>
      {shows("image") && <ItemImage src={item.image} size={56} eager={eager} className="item-picture" />}
      <h2 className="item-name" translate="no">
        <Link
          to={`/fruits/${item.slug}${modeQuery(shownMode)}`}
          prefetch="intent"
          aria-label={shows("name") ? undefined : item.name}
        >
          {shows("name") && item.name}
        </Link>
      </h2>
      <div className="item-badges">
        {shows("rarity") && <RarityBadge rarity={item.rarity} />}
        {shows("demand") && <DemandBadge demand={item.demand} />}
      </div>
      <CardFigures item={item} mode={shownMode} configuration={configuration} now={now} />
      {shows("value_change") && <ValueLine line={item.lines[shownMode]} />}
      <ModeButton name={item.name} mode={shownMode} onChange={changeMode} />
      <p className="item-checked">
        <CheckAge checked={item.checked} now={now} />
        {range && shows("current_value") && ` · ${range[1]}`}
      </p>
      <p className="item-hint">Click for detailed statistics →</p>
    </li>
  );
});

/** A small chart of the value's last year; the figures beside it say the same in words. */
function ValueLine({ line }: { line: string }) {
  return (
    <svg aria-hidden="true" className="item-line" viewBox="0 -1 24 11" preserveAspectRatio="none">
      <path d={linePath(line)} />
    </svg>
  );
}

type ModeButtonProps = { name: string; mode: ViewMode; onChange: (mode: ViewMode) => void };

/** A card's own toggle between Regular and Permanent: one lightweight button, since there are eighty on the page. */
function ModeButton({ name, mode, onChange }: ModeButtonProps) {
  const other = mode === "regular" ? "permanent" : "regular";
  return (
    <button type="button" className="mode-button" data-mode={mode} onClick={() => onChange(other)}>
      {VIEW_MODE_LABELS[mode]}
      <span className="sr-only">{` value of ${name}, show ${VIEW_MODE_LABELS[other]}`}</span>
      <LineIcon path="M3 6.500h11l-3-3M15 11.500H4l3 3" />
    </button>
  );
}

type CardFiguresProps = { item: ListedItem; mode: ViewMode; configuration: PageConfiguration; now: number };

/** Value, price and change in the current mode, and the custom fields. */
function CardFigures({ item, mode, configuration, now }: CardFiguresProps) {
  const { value, previous, price, currency } = figuresOf(item, mode);
  const range = item.ranges[mode];
  return (
    <dl className="item-figures figures">
      {isVisible(configuration, "current_value") && (
        <div className="item-value">
          <dt>Value</dt>
          <dd translate="no">
            <FigureText text={value.text} />
          </dd>
          {range && <dd translate="no">{range[0]}</dd>}
        </div>
      )}
      {isVisible(configuration, "beli_price") && (
        <CardFigure className="item-price" label="Price">
          <FigureText text={price.text} unit={currency} />
        </CardFigure>
      )}
      {isVisible(configuration, "value_change") && (
        <CardFigure className="item-change" label="Change">
          <Change change={valueChange(value.number, previous.number)} day={item.moved[mode]} now={now} />
        </CardFigure>
      )}
      {item.fields.map((field) => (
        <CardFigure key={field.key} label={field.label} className="item-field">
          {field.text}
        </CardFigure>
      ))}
    </dl>
  );
}

/** Cards show the amount, rows the percentage; both with the day of the last move, if known. */
function Change({ change, day, now }: { change: ValueChange | null; day: string | null; now: number }) {
  if (!change) return <NotEnoughData />;
  return (
    <>
      <span className={TREND_COLORS[change.trend]}>
        <TrendMark trend={change.trend} /> <span className="item-amount">{formatChange(change.change)}</span>
        <span className="item-share">{` ${formatPercentage(change.percentage)}`}</span>
      </span>
      {day && change.change !== 0 && (
        <time className="item-day" dateTime={day}>
          {` ${formatDayNear(day, now)}`}
        </time>
      )}
    </>
  );
}

type CardFigureProps = { label: string; className: string; children: React.ReactNode };

function CardFigure({ label, className, children }: CardFigureProps) {
  return (
    <div className={className}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
