import { memo } from "react";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import type { Item } from "#app/features/items/item-queries.ts";
import { RarityBadge } from "#app/features/items/rarity-badge.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { formatAge } from "#domain/text/age.ts";
import { formatPercentage, valueChange } from "#domain/values/value-change.ts";
import { formatValue } from "#domain/values/value-text.ts";

type RowActions = {
  onEdit(id: string, focus: string): void;
  onCheck(item: Item): void;
  onLedger(item: Item): void;
  onDelete(item: Item): void;
};

type ItemRowProps = RowActions & {
  item: Item;
  category: string;
  hasDraft: boolean;
  /** Whether all fields can be edited, not only values. */
  isWhole: boolean;
  now: number;
};

/** An item as one row of the list; its two values are links to their fields. */
export const ItemRow = memo(function ItemRow(props: ItemRowProps) {
  const { item, category, hasDraft, isWhole, now, onEdit, onCheck, onLedger, onDelete } = props;
  const { id, name, slug } = item;
  return (
    <div className="item-row">
      <ItemImage src={item.image_url} size={40} />
      <div className="item-row-name">
        <strong>{name}</strong>
        <span className="text-2xs text-muted">
          {slug} · {category}
        </span>
      </div>
      <div className="item-row-badges">
        <RarityBadge rarity={item.rarity} />
        <DemandBadge demand={item.demand} />
        {item.is_permanent && <Badge>Permanent</Badge>}
        {hasDraft && <Badge tone="accent">Unsaved draft</Badge>}
      </div>
      <ValueCell item={item} column="current_value" label="value" onEdit={onEdit} />
      <ValueCell item={item} column="permanent_value" label="permanent value" onEdit={onEdit} />
      <span className="[grid-area:age] whitespace-nowrap text-[0.8125rem] text-muted">
        <span className="sr-only">Checked </span>
        {formatAge(item.values_checked_at, now)}
      </span>
      <div className="item-row-acts">
        <Button size="sm" variant="ghost" aria-label={`${name} is still right`} onClick={() => onCheck(item)}>
          Still right
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Ledger of ${name}`} onClick={() => onLedger(item)}>
          Ledger
        </Button>
        <Button
          size="sm"
          variant="ghost"
          data-edits={id}
          aria-label={`Edit ${name}`}
          onClick={() => onEdit(id, isWhole ? "name" : "current_value")}
        >
          Edit
        </Button>
        {isWhole && (
          <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={() => onDelete(item)}>
            Delete
          </Button>
        )}
      </div>
    </div>
  );
});

type ValueCellProps = Pick<RowActions, "onEdit"> & {
  item: Item;
  column: "current_value" | "permanent_value";
  label: string;
};

function ValueCell({ item, column, label, onEdit }: ValueCellProps) {
  const text = formatValue(item[column]);
  return (
    <button type="button" className="item-row-value" onClick={() => onEdit(item.id, column)}>
      <span>
        <span className="sr-only">{`Change the ${label} of ${item.name}, `}</span>
        {text}
      </span>
      <Share item={item} column={column} />
    </button>
  );
}

function Share({ item, column }: Pick<ValueCellProps, "item" | "column">) {
  const isRegular = column === "current_value";
  const change = isRegular
    ? valueChange(item.current_value_number, item.previous_value_number)
    : valueChange(item.permanent_value_number, item.permanent_previous_value_number);
  if (!change) return null;
  const tone = { Rising: "text-rise", Falling: "text-fall", Stable: "text-muted" }[change.trend];
  return <span className={`text-2xs ${tone}`}>{formatPercentage(change.percentage)}</span>;
}
