import type { Category } from "#app/features/categories/category-queries.ts";
import type { Item } from "#app/features/items/item-queries.ts";
import type { CustomFields } from "#domain/fields/custom-field-input.ts";
import { IMPORT_COLUMNS, type ImportLine, type ImportRow } from "#domain/items/item-import.ts";

/** Lines per file; the database allows no more at once. */
export const LINES_MAX = 5000;

/** The columns that `writeRefused` adds. */
const ADDED: ReadonlySet<string> = new Set(["line", "reason"]);

/** A file's lines by column name, and its columns that are not known here. */
export type CsvTable = { lines: ImportLine[]; ignored: string[] };

/** A file's text. @throws a message if it is in an old encoding, whose letters would be lost */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = String(bytes.subarray(0, 2));
  const encoding = mark === "255,254" ? "utf-16le" : mark === "254,255" ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error("This file is not in UTF-8, so some of its letters can't be read. Save it as CSV UTF-8.");
  }
}

/**
 * Parses comma-separated values (RFC 4180) with a heading. The parser is loaded with the first file.
 * @throws a message about what is wrong with the file as a whole
 */
export async function readCsv(text: string, customFields: readonly string[]): Promise<CsvTable> {
  const [head, ...rows] = await parseRecords(text);
  if (!head) throw new Error("This file is empty.");
  const names = head.record.map((name) => name.trim().toLowerCase().replaceAll(" ", "_"));
  const known = new Set<string>([...IMPORT_COLUMNS, ...customFields]);
  if (!names.includes("slug") && !names.includes("name")) {
    throw new Error("The first line must name the columns and include slug or name.");
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new Error(`The column ${twice} appears twice in the first line.`);
  if (rows.length === 0) throw new Error("This file has nothing below its first line.");
  if (rows.length > LINES_MAX) {
    throw new Error(`This file has ${rows.length} lines; at most ${LINES_MAX} are imported at once.`);
  }
  return {
    ignored: names.filter((name) => name && !known.has(name) && !ADDED.has(name)),
    lines: rows.map(({ record, info }) => ({
      line: info.lines,
      // A missing cell, as in a truncated file, clears nothing.
      cells: Object.fromEntries(
        record.flatMap((cell, index) => {
          const name = names[index];
          return name && known.has(name) ? [[name, fromCell(cell)]] : [];
        }),
      ),
      ...(record.slice(names.length).some((cell) => cell.trim()) && { fault: TOO_MANY }),
    })),
  };
}

/** A figure such as 1,000,000 would be read as 1, and the rest would shift into other columns. */
const TOO_MANY = "More cells than the first line has: a comma within a cell needs quotes around the cell";

type CsvRecord = { record: string[]; info: { lines: number } };

async function parseRecords(text: string): Promise<CsvRecord[]> {
  const { CsvError, parse } = await import("csv-parse/browser/esm/sync");
  // Excel's own first line, which is no heading.
  const [, declared] = /^\ufeff?sep=(.)[\r\n]/i.exec(text) ?? [];
  try {
    const records = parse(text, {
      bom: true,
      delimiter: declared ?? delimiterOf(text),
      from_line: declared ? 2 : 1,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    });
    return records as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED")) throw error;
    throw new Error(`A quote that opens in line ${error.lines} is never closed. Is the file whole?`, {
      cause: error,
    });
  }
}

/** The heading's delimiter: spreadsheets of many countries use semicolons, copied tables tabs. */
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

/** The refused lines with their reasons, as a file that can be corrected and imported again. */
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
  // Spreadsheets read a file as UTF-8 only with a byte order mark.
  return `\ufeff${rows.map(writeLine).join("\r\n")}\r\n`;
}

function writeLine(cells: readonly unknown[]): string {
  return cells.map(writeCell).join(",");
}

/** What spreadsheets would execute as a formula (OWASP, "CSV Injection"), and what is escaped already. */
const FORMULA = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** A leading apostrophe tells spreadsheets that a cell is text. */
function toCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Removes the one apostrophe that `toCell` added, and no other. */
function fromCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

function writeCell(value: unknown): string {
  const text = toCell(String(value ?? ""));
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
