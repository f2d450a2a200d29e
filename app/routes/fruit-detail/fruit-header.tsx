import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { ViewModeToggle } from "#app/features/items/view-mode-toggle.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Card } from "#app/ui/card.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { isVisible, type PageConfiguration } from "#domain/fields/field-visibility.ts";
import { titled } from "#domain/text/words.ts";
import type { ViewMode } from "#domain/values/view-mode.ts";
import type { ShownFruit } from "./shown-fruit.ts";

type FruitHeaderProps = {
  fruit: ShownFruit;
  mode: ViewMode;
  onMode: (mode: ViewMode) => void;
  configuration: PageConfiguration;
};

/** Picture, name, badges, and the figures of the mode shown. */
export function FruitHeader({ fruit, mode, onMode, configuration }: FruitHeaderProps) {
  return (
    <Card className="grid gap-5 sm:grid-cols-[auto_minmax(0,1fr)] sm:gap-7">
      {isVisible(configuration, "image") && (
        <div className="grid place-items-center rounded-md bg-sunken p-4 sm:row-span-2 sm:self-start">
          <ItemImage src={fruit.image} size={160} eager className="size-32 sm:size-40" />
        </div>
      )}
      <div className="grid content-start gap-3">
        <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <h1 className={isVisible(configuration, "name") ? undefined : "sr-only"}>{fruit.name}</h1>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span aria-hidden="true" className="text-sm font-semibold">
              View Mode
            </span>
            <ViewModeToggle label="View Mode" mode={mode} onChange={onMode} />
          </div>
        </div>
        <FruitBadges fruit={fruit} configuration={configuration} />
      </div>
      <HeaderFigures fruit={fruit} mode={mode} configuration={configuration} />
    </Card>
  );
}

function FruitBadges({ fruit, configuration }: Pick<FruitHeaderProps, "fruit" | "configuration">) {
  const { rarity, demand, type, category, isPermanent } = fruit;
  return (
    <div className="flex flex-wrap gap-1.5">
      {isVisible(configuration, "rarity") && <RarityBadge rarity={rarity} />}
      {isVisible(configuration, "demand") && <DemandBadge demand={demand} />}
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
  const { value, previous, price } = fruit.modes[mode];
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3 sm:col-start-2">
      {isVisible(configuration, "current_value") && (
        <Stat size="big" label="Current Value" className="col-span-2 md:col-span-1">
          <FigureText text={value} />
        </Stat>
      )}
      {isVisible(configuration, "previous_value") && (
        <Stat size="big" label="Previous Value">
          <FigureText text={previous} />
        </Stat>
      )}
      {isVisible(configuration, "beli_price") && (
        <Stat size="big" label={mode === "permanent" ? "Robux Price" : "Beli Price"}>
          <FigureText text={price} />
        </Stat>
      )}
    </dl>
  );
}
