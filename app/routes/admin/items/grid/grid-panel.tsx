import { useRef, useState } from "react";
import { type Catalogue, useCatalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { Button } from "#app/ui/button.tsx";
import { Dialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { countOf } from "#domain/text/counts.ts";
import { ActsBar } from "./acts-bar.tsx";
import { CellBar } from "./cell-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { GridTable } from "./grid-table.tsx";
import { dropDeletedRows } from "./model/edits.ts";
import { usePanelKeys } from "./press-grid-key.ts";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { type Publish, usePublish } from "./publish/use-publish.ts";
import { type Grid, useGrid } from "./use-grid.ts";

/** The catalogue as a table that is edited in place, like a spreadsheet, and published at once. */
export default function GridPanel() {
  return (
    <ReadState read={useCatalogue()} what="Items">
      {(catalogue) => <ValueGrid catalogue={catalogue} />}
    </ReadState>
  );
}

function ValueGrid({ catalogue }: { catalogue: Catalogue }) {
  const grid = useGrid(catalogue);
  const publish = usePublish(grid);
  const [isRanging, setRanging] = useState(false);
  const [isHelping, setHelping] = useState(false);
  const section = useRef<HTMLElement>(null);
  const [search, percent, rounding] = [useField(), useField(), useField()];
  const mayLeave = useRef(false);
  const keys = {
    publish: publish.ask,
    find: () => search.current?.select(),
    help: () => setHelping(true),
    percent: () => percent.current?.select(),
    round: () => rounding.current?.select(),
    mayLeave,
  };
  usePanelKeys(section, keys, grid.steps);
  return (
    <section ref={section} aria-label="Value grid" className="grid-panel card">
      <FilterBar grid={grid} search={search} />
      <PublishBar grid={grid} publish={publish} />
      <CellBar grid={grid} />
      <GridTable grid={grid} keys={keys} isRanging={isRanging} />
      {grid.rows.rows.length === 0 && <EmptyState title="No items found" level={3} />}
      <ActsBar
        grid={grid}
        {...{ percent, rounding, isRanging }}
        onRanging={setRanging}
        onHelp={() => setHelping(true)}
      />
      <PublishDialog grid={grid} ready={publish.asked} onClose={publish.close} onPublished={publish.settle} />
      <ShortcutsDialog open={isHelping} onClose={() => setHelping(false)} />
    </section>
  );
}

const useField = () => useRef<HTMLInputElement>(null);

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ["← ↑ → ↓", "go to the next cell; with Ctrl to the end, with Shift select on the way"],
  ["Type", "write into the cell"],
  ["F2, or a second press", "edit on what it holds"],
  ["Enter, Shift+Enter", "take it over, and one cell down or up"],
  ["Tab, Shift+Tab", "take it over, and to the next or last cell that can be edited"],
  ["Escape", "give up what is being typed; once more, and Tab leaves the grid"],
  ["Ctrl+Enter while typing", "write it into everything selected"],
  ["Delete", "back to what is published"],
  ["Shift+Space, Ctrl+Space, Ctrl+A", "select the row, the column, everything"],
  ["Ctrl+C, Ctrl+V", "copy, and paste from a sheet; pasted at a name, rows find their items by name"],
  ["Ctrl+D", "fill the first selected row down"],
  ["%", "raise or lower by percent"],
  ["~", "round"],
  ["!", "mark as still right"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["/", "filter by name; Enter goes back to the cells"],
  ["Ctrl+Enter", "publish"],
  ["?", "this list"],
];

function ShortcutsDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keys of the grid" size="wide">
      <dl className="grid-keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>{keys}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** The number of visible rows and unsaved cells, and the publish button. */
function PublishBar({ grid, publish }: { grid: Grid; publish: Publish }) {
  const { draft, rows, cells, catalogue } = grid;
  const { unsaved, clashes, faults, gone, ready } = draft.counts;
  const waiting = grid.waiting.size;
  const [shown, all] = [rows.rows.length, catalogue.items.length];
  return (
    <div className="grid-publish">
      <span role="status" className="figures text-sm">
        {shown === all ? countOf(all, "item") : `${shown} of ${countOf(all, "item")}`}
        {unsaved > 0 && ` · ${unsaved} unsaved`}
        {clashes > 0 && ` · ${clashes} changed by others meanwhile`}
        {faults > 0 && ` · ${faults} not right yet`}
        {gone > 0 && ` · ${countOf(gone, "cell")} of deleted items`}
        {waiting > 0 && ` · ${waiting} waiting for a second person`}
        {cells.said && ` · ${cells.said}`}
      </span>
      {clashes + faults > 0 && (
        <Button size="sm" variant="ghost" onClick={grid.selectWrong}>
          Go to the next
        </Button>
      )}
      {gone > 0 && (
        <Button size="sm" variant="ghost" onClick={() => draft.change(dropDeletedRows)}>
          Drop {countOf(gone, "cell")}
        </Button>
      )}
      {publish.last && (
        <Button size="sm" disabled={publish.isBusy} onClick={() => void publish.takeBack()}>
          Take back {countOf(publish.last.count, "cell")}
        </Button>
      )}
      <Button size="sm" variant="primary" aria-disabled={ready === 0} onClick={publish.ask}>
        {ready > 0 ? `Publish ${countOf(ready, "cell")}` : "Publish"}
      </Button>
    </div>
  );
}
