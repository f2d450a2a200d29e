import { Button } from "#app/ui/button.tsx";
import { countOf } from "#domain/text/counts.ts";
import { dropDeletedRows } from "../model/edits.ts";
import { NO_FILTER } from "../model/filter.ts";
import type { Grid } from "../use-grid.ts";
import type { Publish } from "./use-publish.ts";

/** The number of visible rows and unsaved cells, and the publish button. */
export function PublishBar({ grid, publish }: { grid: Grid; publish: Publish }) {
  const { draft, rows, cells, catalogue } = grid;
  const { unsaved, clashes, faults, gone } = draft.counts;
  const waiting = grid.waiting.size;
  const [shown, all] = [rows.rows.length, catalogue.items.length];
  const ready = unsaved - clashes - faults;
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
      {clashes + faults > 0 && !rows.filter.unsaved && (
        <Button size="sm" variant="ghost" onClick={() => rows.setFilter({ ...NO_FILTER, unsaved: true })}>
          Show them
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
      <Button size="sm" variant="primary" aria-disabled={ready <= 0} onClick={publish.ask}>
        {ready > 0 ? `Publish ${countOf(ready, "cell")}` : "Publish"}
      </Button>
    </div>
  );
}
