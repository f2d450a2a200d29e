import type { Ref } from "react";
import { DateText } from "#app/features/items/date-text.tsx";
import { DemandBadge } from "#app/features/items/demand-badge.tsx";
import { ItemImage } from "#app/features/items/item-image.tsx";
import { useRead } from "#app/features/live/use-read.ts";
import { listLedger } from "#app/routes/admin/items/admin-item-queries.ts";
import { DeskButton } from "#app/routes/admin/shared/desk-button.tsx";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { RowList } from "#app/routes/admin/shared/row-list.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Stat } from "#app/ui/stat.tsx";
import { describeChange } from "#domain/values/large-change.ts";
import { formatValue } from "#domain/values/value-text.ts";
import { VIEW_MODE_LABELS, type ViewMode } from "#domain/values/view-mode.ts";
import { describeWork } from "./describe-work.ts";
import type { Work } from "./work-queries.ts";

const RECENT = 5;

type WorkCardProps = {
  work: Work;
  ref: Ref<HTMLElement>;
  /** Whether someone else reviewed it while it was shown here. */
  isDone: boolean;
  isBusy: boolean;
  onRight(): void;
  onChange(): void;
  onSkip(): void;
};

/** One item to review: why, its values, recent changes, and the available actions. */
export function WorkCard({ work, ref, isDone, isBusy, onRight, onChange, onSkip }: WorkCardProps) {
  const { item, waiting } = work;
  return (
    <article
      ref={ref}
      className="desk-case grid max-w-176 gap-4"
      data-case={item.id}
      tabIndex={-1}
      aria-label={item.name}
    >
      <header className="grid grid-cols-[4rem_minmax(0,1fr)] items-center gap-3">
        <ItemImage src={item.image_url} size={64} />
        <div className="grid min-w-0 gap-1">
          <h3 className="text-xl">{item.name}</h3>
          <div className="flex flex-wrap items-center gap-2">
            <DemandBadge demand={item.demand} />
            {waiting > 0 && <Badge tone="accent">{`${waiting} waiting for a second person`}</Badge>}
          </div>
          <a
            href={`/fruits/${item.slug}`}
            className="link text-sm pointer-coarse:py-3"
            target="_blank"
            rel="noopener"
          >
            Its page and chart
          </a>
        </div>
      </header>
      {isDone && (
        <p role="status" className="font-semibold">
          Somebody else has looked at it in the meantime. Skip goes on.
        </p>
      )}
      <ul className="flex flex-wrap gap-x-4 gap-y-1" aria-label="Why it is next">
        {describeWork(work).map((why) => (
          <li key={why}>{why}</li>
        ))}
      </ul>
      <dl>
        <Stat label="Regular value">{formatValue(item.current_value)}</Stat>
        {item.permanent_value && <Stat label="Permanent value">{formatValue(item.permanent_value)}</Stat>}
      </dl>
      <div
        className="flex flex-wrap gap-2 [&>button]:flex-auto pointer-coarse:[&>button]:min-h-13"
        role="toolbar"
        aria-label={`What to say of ${item.name}`}
      >
        <DeskButton press={1} variant="primary" disabled={isBusy} onClick={onRight}>
          Still right
        </DeskButton>
        <DeskButton press={2} disabled={isBusy} onClick={onChange}>
          Change
        </DeskButton>
        <DeskButton press={3} disabled={isBusy} onClick={onSkip}>
          Skip
        </DeskButton>
      </div>
      <RecentChanges itemId={item.id} />
    </article>
  );
}

function RecentChanges({ itemId }: { itemId: string }) {
  const ledger = useRead(["item_value_changes", itemId], (client) => listLedger(client, itemId));
  return (
    <ReadState read={ledger} what="Recent changes">
      {(rows) => (
        <RowList
          rows={rows.slice(0, RECENT)}
          empty="No value of this item has been recorded yet."
          className="grid gap-1.5 text-sm wrap-anywhere"
          label="Recent changes"
        >
          {(row) => (
            <li key={row.id}>
              <strong className="figures">{describeChange(row.old_value, row.new_value)}</strong>{" "}
              <span className="text-muted">
                {VIEW_MODE_LABELS[row.mode as ViewMode]}, <DateText date={row.changed_at} />
                {row.reason && `: ${row.reason}`}
              </span>
            </li>
          )}
        </RowList>
      )}
    </ReadState>
  );
}
