import type { ReactNode } from "react";
import { useFocusFallback } from "#app/ui/form/use-focus-fallback.ts";

type RowListProps<Row> = {
  rows: readonly Row[];
  /** Shown if there are no rows: a sentence, or a whole `EmptyState`. */
  empty: ReactNode;
  className: string;
  label?: string;
  /** Renders a row: an `li` with its key. */
  children(row: Row): ReactNode;
};

/** A list whose rows may disappear while they are viewed: the focus of a removed row stays with the list. */
export function RowList<Row>({ rows, empty, className, label, children }: RowListProps<Row>) {
  const caught = useFocusFallback(rows);
  const nothing = typeof empty === "string" ? <p className="text-muted">{empty}</p> : empty;
  return (
    <div {...caught}>
      {rows.length === 0 ? (
        nothing
      ) : (
        <ul className={className} aria-label={label}>
          {rows.map((row) => children(row))}
        </ul>
      )}
    </div>
  );
}
