import { Link } from "react-router";
import { ChangeText } from "#app/features/items/change-text.tsx";
import { CheckAge } from "#app/features/items/check-age.tsx";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { useNow } from "#app/features/items/use-now.ts";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { formatDayNear } from "#domain/text/dates.ts";
import { titled } from "#domain/text/words.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import type { ShownFruit } from "./shown-fruit.ts";

type FruitHeaderProps = {
  fruit: ShownFruit;
  mode: ViewMode;
  onMode: (mode: ViewMode) => void;
  configuration: PageConfiguration;
  readAt: number;
};

/**
 * What players look up between two clicks in the game: name, value, its latest move and when, and the age of the check;
 * then badges and the other figures of the current mode. On a phone all of it is above the fold.
 */
export function FruitHeader(props: FruitHeaderProps) {
  const { fruit, mode, onMode, configuration } = props;
  return (
    <Card className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-4 sm:items-start sm:gap-x-7">
      {isVisible(configuration, "image") && (
        <div className="grid place-items-center rounded-md bg-sunken p-1 sm:row-span-3 sm:p-4">
          <ItemImage src={fruit.image} size={160} eager className="size-[min(4rem,18vw)] sm:size-40" />
        </div>
      )}
      <div className="fruit-figures col-start-2 grid gap-1">
        <h1 translate="no" className={isVisible(configuration, "name") ? undefined : "sr-only"}>
          {fruit.name}
        </h1>
        <div className="flex flex-wrap items-end gap-x-2.5">
          {isVisible(configuration, "current_value") && (
            <dl>
              <Stat size="big" label="Current Value">
                <span translate="no">
                  <FigureText text={fruit.modes[mode].value} />
                </span>
              </Stat>
            </dl>
          )}
          <ValueMove {...props} />
        </div>
        <ValueRange {...props} />
        <FruitLine {...props} />
      </div>
      <HeaderFigures fruit={fruit} mode={mode} configuration={configuration} />
      <div className="col-span-2 grid gap-3 sm:col-span-1 sm:col-start-2">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
          <FruitBadges fruit={fruit} configuration={configuration} />
          <form className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span aria-hidden="true" className="text-sm font-semibold">
              View Mode
            </span>
            <ViewModeToggle label="View Mode" name="mode" mode={mode} onChange={onMode} />
            <Button type="submit" size="sm" className="hidden noscript:inline-flex">
              Show
            </Button>
          </form>
        </div>
      </div>
    </Card>
  );
}

/** The value's latest move and when, beside it; renders nothing if it did not move. */
function ValueMove({ fruit, mode, configuration, readAt }: FruitHeaderProps) {
  const now = useNow(readAt);
  const { change, moved } = fruit.modes[mode];
  if (!change || change.trend === "Stable" || !isVisible(configuration, "value_change")) return null;
  return (
    <p className="figures text-sm font-semibold sm:text-base">
      <ChangeText trend={change.trend} text={change.percentage} />
      {moved && ` since ${formatDayNear(moved, now)}`}
    </p>
  );
}

/** The value's range, its confidence, and a link to the explanation. */
function ValueRange({ fruit, mode, configuration }: FruitHeaderProps) {
  const { range } = fruit.modes[mode];
  if (!range || !isVisible(configuration, "current_value")) return null;
  return (
    <p className="text-[0.8125rem] sm:text-sm">
      <span className="figures">{range.text}</span> ·{" "}
      <Link to="/method#confidence" className="link">
        {range.confidence}
      </Link>
      {range.unsettled && <span className="block font-semibold text-medium">{range.unsettled}</span>}
    </p>
  );
}

/** The demand, and the age of the check. */
function FruitLine({ fruit, configuration, readAt }: FruitHeaderProps) {
  const now = useNow(readAt);
  return (
    <p className="text-[0.8125rem] text-muted sm:text-sm">
      {isVisible(configuration, "demand") && `${titled(fruit.demand)} · `}
      <CheckAge checked={fruit.checked} now={now} />
    </p>
  );
}

function FruitBadges({ fruit, configuration }: Pick<FruitHeaderProps, "fruit" | "configuration">) {
  const { rarity, demand, status, type, category, isPermanent } = fruit;
  return (
    <div className="flex flex-wrap gap-1.5">
      {isVisible(configuration, "rarity") && <RarityBadge rarity={rarity} />}
      {isVisible(configuration, "demand") && <DemandBadge demand={demand} />}
      {status && isVisible(configuration, "demand") && <Badge tone="accent">{status}</Badge>}
      {isVisible(configuration, "type") && <Badge>{titled(type)}</Badge>}
      {category && isVisible(configuration, "category") && (
        <Badge className="whitespace-normal wrap-anywhere">
          <span aria-hidden="true">{category.icon}</span> {category.name}
        </Badge>
      )}
      {isPermanent && isVisible(configuration, "is_permanent") && <Badge tone="accent">Permanent</Badge>}
    </div>
  );
}

function HeaderFigures({
  fruit,
  mode,
  configuration,
}: Pick<FruitHeaderProps, "fruit" | "mode" | "configuration">) {
  const { previous, price } = fruit.modes[mode];
  return (
    <dl className="col-span-2 grid grid-cols-2 gap-x-6 gap-y-4 sm:col-span-1 sm:col-start-2">
      {isVisible(configuration, "previous_value") && (
        <Stat size="big" label="Previous Value">
          <span translate="no">
            <FigureText text={previous} />
          </span>
        </Stat>
      )}
      {isVisible(configuration, "beli_price") && (
        <Stat size="big" label={mode === "permanent" ? "Robux Price" : "Beli Price"}>
          <span translate="no">
            <FigureText text={price} />
          </span>
        </Stat>
      )}
    </dl>
  );
}
