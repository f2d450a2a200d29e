import type { Item } from "#app/features/items/item-queries.ts";
import { ScrollRegion } from "#app/routes/admin/shared/scroll-region.tsx";
import { describeChange, isLargeChange } from "#domain/values/large-change.ts";
import { GRID_COLUMNS } from "../model/columns.ts";
import { partsOf } from "../model/edits.ts";
import { choicesOf, isRange, showText } from "../model/fields.ts";
import type { ReadyCell } from "./publish-cells.ts";

/** More lines than anyone reads before publishing. */
const LINES = 200;

/** Whether a value would change by more than half. */
export function isLarge({ key, edit }: ReadyCell): boolean {
  const { field } = partsOf(key);
  return field !== "checked" && !choicesOf(field) && !isRange(field) && isLargeChange(edit.was, edit.text);
}

/** Each cell before and after; changes of more than half come first. */
export function PublishDiff({
  cells,
  byId,
}: {
  cells: readonly ReadyCell[];
  byId: ReadonlyMap<string, Item>;
}) {
  const lines = cells.toSorted((a, b) => Number(isLarge(b)) - Number(isLarge(a)));
  return (
    <ScrollRegion label="What would be published" className="grid-diff">
      <ul>
        {lines.slice(0, LINES).map((cell) => {
          const { id, field } = partsOf(cell.key);
          return (
            <li key={cell.key} data-large={isLarge(cell) || undefined}>
              <strong>{byId.get(id)?.name}</strong>
              <span className="text-muted">
                {GRID_COLUMNS.find((column) => column.field === field)?.label}
              </span>
              <span className="figures">{describe(cell)}</span>
              {cell.edit.note && <span className="text-muted">{cell.edit.note}</span>}
            </li>
          );
        })}
      </ul>
      {lines.length > LINES && <p className="text-muted">and {lines.length - LINES} more</p>}
    </ScrollRegion>
  );
}

function describe({ key, edit }: ReadyCell): string {
  const { field } = partsOf(key);
  if (field === "checked") return edit.text;
  if (choicesOf(field)) return `${showText(field, edit.was)} → ${showText(field, edit.text)}`;
  return describeChange(edit.was, edit.text);
}
