import type { Category } from "#app/features/categories/category-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import type { CustomFields } from "#domain/fields/custom-field-input.ts";
import { IMPORT_COLUMNS, type ImportLine, type ImportRow } from "#domain/items/item-import.ts";

/** Lines of one file; more go in several, as the database asks for. */
export const LINES_MAX = 5000;

/** What `writeRefused` adds. */
const ADDED: ReadonlySet<string> = new Set(["line", "reason"]);

/** A file's lines by the names of its columns, and the columns that mean nothing here. */
export type CsvTable = { lines: ImportLine[]; ignored: string[] };

/**
 * Reads a text of comma-separated values (RFC 4180) with a heading. The reader's code comes with the first file.
 * @throws a sentence that tells what is wrong with the file as a whole
 */
export async function readCsv(text: string, customFields: readonly string[]): Promise<CsvTable> {
  const { parse } = await import("csv-parse/browser/esm/sync");
  const records = parse(text, {
    bom: true,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const [head, ...rows] = records as unknown as { record: string[]; info: { lines: number } }[];
  if (!head) throw new Error("This file is empty.");
  const names = head.record.map((name) => name.trim().toLowerCase().replaceAll(" ", "_"));
  const known = new Set<string>([...IMPORT_COLUMNS, ...customFields]);
  if (!names.includes("slug") && !names.includes("name")) {
    throw new Error("The first line must name the columns and include slug or name.");
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`The column ${twice} appears twice in the first line.`);
  if (rows.length > LINES_MAX) {
    throw new Error(`This file has ${rows.length} lines; at most ${LINES_MAX} are imported at once.`);
  }
  return {
    ignored: names.filter((name) => name && !known.has(name) && !ADDED.has(name)),
    lines: rows.map(({ record, info }) => ({
      line: info.lines,
      cells: Object.fromEntries(
        names.flatMap((name, index) => (known.has(name) ? [[name, fromCell(record[index] ?? "")]] : [])),
      ),
    })),
  };
}

/** What parts the columns in the heading: spreadsheets of many countries write semicolons, copied tables have tabs. */
function delimiterOf(text: string): string {
  const [head = ""] = text.split(/[\r\n]/, 1);
  const found = (delimiter: string) => head.split(delimiter).length;
  return [",", ";", "\t"].reduce((best, each) => (found(each) > found(best) ? each : best));
}

/** All items as a file that can be edited elsewhere and imported again. */
export function writeCsv(
  items: readonly Item[],
  categories: readonly Category[],
  customFields: readonly string[],
): string {
  const slugs = new Map(categories.map(({ id, slug }) => [id, slug]));
  const rows = items.map((item) => [
    ...IMPORT_COLUMNS.map((column) =>
      column === "category" ? slugs.get(item.category_id ?? "") : item[column as keyof Item],
    ),
    ...customFields.map((key) => (item.custom_fields as CustomFields)[key]),
  ]);
  return writeTable([[...IMPORT_COLUMNS, ...customFields], ...rows]);
}

/** The refused lines with their reasons, as a file that can be mended and imported again. */
export function writeRefused(lines: readonly ImportLine[], rows: readonly ImportRow[]): string {
  const reasons = new Map(rows.flatMap((row) => (row.kind === "refused" ? [[row.line, row.reason]] : [])));
  const refused = lines.filter(({ line }) => reasons.has(line));
  const columns = [...new Set(refused.flatMap(({ cells }) => Object.keys(cells)))];
  return writeTable([
    [...columns, "line", "reason"],
    ...refused.map(({ line, cells }) => [...columns.map((column) => cells[column]), line, reasons.get(line)]),
  ]);
}

function writeTable(rows: readonly (readonly unknown[])[]): string {
  // Spreadsheets take a file for UTF-8 only if it says so.
  return `\ufeff${rows.map(writeLine).join("\r\n")}\r\n`;
}

function writeLine(cells: readonly unknown[]): string {
  return cells.map(writeCell).join(",");
}

/** What spreadsheets take for a formula that they run (OWASP, "CSV Injection"), and what is marked as none already. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** An apostrophe in front tells spreadsheets that a cell is text. */
function toCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Takes away the one apostrophe that `toCell` put there, and no other. */
function fromCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function writeCell(value: unknown): string {
  const text = toCell(String(value ?? ""));
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
