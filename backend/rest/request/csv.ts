import { apiError } from "../api-error.ts";

/**
 * Lines of fields (RFC 4180): quotes around fields with commas, quotes or line breaks, doubled quotes inside; an empty
 * line is skipped.
 * @throws ApiError PGRST102 for a quote that never ends or that stands in the middle of a field.
 */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/y;
  let line: string[] = [];
  while (field.lastIndex < text.length || line.length > 0) {
    const found = field.exec(text);
    if (!found) throw apiError(400, "PGRST102", "The CSV body has a quote in a wrong place");
    const [, quoted, bare = "", end] = found;
    line.push(quoted === undefined ? bare : quoted.replaceAll('""', '"'));
    if (end === ",") continue;
    if (line.length > 1 || line[0] !== "" || quoted !== undefined) lines.push(line);
    line = [];
  }
  return lines;
}
