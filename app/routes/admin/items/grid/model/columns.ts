import { type CellField, isRange } from "./fields.ts";

/** A column of the grid; without a field it is read-only. Widths are in rem. */
export type GridColumn = { id: string; label: string; width: number; field?: CellField; isNumber?: boolean };

/** In this order; the first one names its row and stays visible (P120). */
export const GRID_COLUMNS: readonly GridColumn[] = [
  { id: "name", label: "Item", width: 12 },
  { id: "category", label: "Category", width: 8 },
  { id: "rarity", label: "Rarity", width: 6.5 },
  { id: "demand", label: "Demand", width: 7, field: "demand" },
  { id: "current_value", label: "Value", width: 8, field: "current_value", isNumber: true },
  { id: "change", label: "Change", width: 6, isNumber: true },
  { id: "permanent_value", label: "Permanent", width: 8, field: "permanent_value", isNumber: true },
  { id: "permanent_change", label: "Change", width: 6, isNumber: true },
  { id: "beli_price", label: "Beli Price", width: 8, field: "beli_price", isNumber: true },
  { id: "robux_price", label: "Robux Price", width: 8, field: "robux_price", isNumber: true },
  { id: "checked", label: "Checked", width: 8, field: "checked" },
  { id: "current_low", label: "Lowest", width: 7, field: "current_low", isNumber: true },
  { id: "current_high", label: "Highest", width: 7, field: "current_high", isNumber: true },
  { id: "permanent_low", label: "Perm. Lowest", width: 8, field: "permanent_low", isNumber: true },
  { id: "permanent_high", label: "Perm. Highest", width: 8, field: "permanent_high", isNumber: true },
];

export const NAME_COLUMN = 0;
/** The columns for values pasted after a name without headings. */
export const VALUE_COLUMNS = GRID_COLUMNS.flatMap(({ isNumber, field }, column) =>
  isNumber && field && !isRange(field) ? [column] : [],
);

export function fieldAt(column: number): CellField | undefined {
  return GRID_COLUMNS[column]?.field;
}

export const columnOfField = (field: CellField) => GRID_COLUMNS.findIndex((column) => column.field === field);

/** The column of a heading or field name, in lowercase. */
export function columnOf(heading: string): number | undefined {
  const column = GRID_COLUMNS.findIndex(
    ({ id, label, field }) => field && [id, label.toLowerCase(), id.replaceAll("_", " ")].includes(heading),
  );
  return column === -1 ? undefined : column;
}

/** Whether Tab stops at a column. */
export const isEdited = (column: number): boolean => fieldAt(column) !== undefined;
