import { renderToStaticMarkup } from "react-dom/server";
import { FigureText } from "#app/features/items/figure-text.tsx";
import { formatDate } from "#domain/text/dates.ts";
import { VIEW_MODE_LABELS, VIEW_MODES, type ViewMode } from "#domain/values/view-mode.ts";
import { formatStep, type HistoryRow, historyRows } from "./describe-history.ts";
import type { ValueSeries } from "./value-series.ts";

/** Renders the table to HTML: it never changes in the browser, so that neither its code nor its rows are hydrated. */
export function renderTable(name: string, history: ValueSeries): string {
  return renderToStaticMarkup(<HistoryTable name={name} history={history} />);
}

/** Every reading in a table, newest first: an alternative to the chart. */
function HistoryTable({ name, history }: { name: string; history: ValueSeries }) {
  return (
    <table className="figures w-full text-sm">
      <caption className="py-1 text-left text-2xs text-muted">
        <span className="sr-only">Value history of {name}. </span>Days are in UTC.
      </caption>
      <thead>
        <tr className="border-b border-line-strong text-left">
          <th scope="col" className="py-2">
            Date
          </th>
          {VIEW_MODES.map((mode) => (
            <th key={mode} scope="col" className="py-2 text-right">
              {VIEW_MODE_LABELS[mode]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {historyRows(history).map((row) => (
          <tr key={row.time} className="border-b border-line">
            <th scope="row" className="py-1.5 text-left font-normal">
              {formatDate(row.time, "UTC")}
            </th>
            {VIEW_MODES.map((mode) => (
              <td key={mode} className="py-1.5 text-right font-semibold">
                <Reading value={row[mode]} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Nothing if the mode was not read then. */
function Reading({ value }: { value: HistoryRow[ViewMode] }) {
  return value === undefined ? null : <FigureText text={formatStep(value)} />;
}
