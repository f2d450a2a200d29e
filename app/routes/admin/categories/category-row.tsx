import { Button } from "#app/ui/button.tsx";
import { LineIcon } from "#app/ui/line-icon.tsx";
import type { Category } from "./category-writes.ts";

type CategoryRowProps = {
  category: Category;
  isFirst: boolean;
  isLast: boolean;
  isBusy: boolean;
  onMove(step: -1 | 1): void;
  /** Dragged by the pointer, to be dropped on another row; null when released. */
  onDrag(category: Category | null): void;
  onEdit(): void;
  onDelete(): void;
};

/** A category in the list. At both ends the arrow buttons stay focusable, so that focus is not lost there. */
export function CategoryRow({
  category,
  isFirst,
  isLast,
  isBusy,
  onMove,
  onDrag,
  onEdit,
  onDelete,
}: CategoryRowProps) {
  const { id, name, slug, icon, display_order } = category;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
      <span className="flex">
        <Arrow
          label={`Move ${name} up`}
          path="m4 11 5-5 5 5"
          isOff={isFirst || isBusy}
          onClick={() => onMove(-1)}
        />
        <Arrow
          label={`Move ${name} down`}
          path="m4 7 5 5 5-5"
          isOff={isLast || isBusy}
          onClick={() => onMove(1)}
        />
      </span>
      <span
        aria-hidden="true"
        draggable={!isBusy}
        title="Drag to another place"
        className="min-w-8 cursor-grab text-center text-2xl"
        onDragStart={() => onDrag(category)}
        onDragEnd={() => onDrag(null)}
      >
        {icon}
      </span>
      <span className="min-w-36 flex-1 wrap-anywhere">
        <span className="block font-semibold">{name}</span>
        <span className="block text-muted text-sm">
          {slug} <span className="figures">· order {display_order}</span>
        </span>
      </span>
      <span className="ml-auto flex gap-2">
        <Button size="sm" data-edits={id} aria-label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={onDelete}>
          Delete
        </Button>
      </span>
    </div>
  );
}

type ArrowProps = { label: string; path: string; isOff: boolean; onClick(): void };

function Arrow({ label, path, isOff, onClick }: ArrowProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={label}
      aria-disabled={isOff || undefined}
      onClick={() => !isOff && onClick()}
    >
      <LineIcon path={path} width={2.25} />
    </Button>
  );
}
