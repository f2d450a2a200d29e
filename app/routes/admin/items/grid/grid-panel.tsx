import { useRef, useState } from "react";
import { type Catalogue, useCatalogue } from "#app/routes/admin/items/use-catalogue.ts";
import { ReadState } from "#app/routes/admin/shared/read-state.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ActsBar } from "./acts-bar.tsx";
import { CellBar } from "./cell-bar.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { GridTable } from "./grid-table.tsx";
import { PublishBar } from "./publish/publish-bar.tsx";
import { PublishDialog } from "./publish/publish-dialog.tsx";
import { usePublish } from "./publish/use-publish.ts";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { useGrid } from "./use-grid.ts";
import { usePanelKeys } from "./use-panel-keys.ts";

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
