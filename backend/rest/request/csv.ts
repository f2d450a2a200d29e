import { apiError } from "../api-error.ts";

/**
 * Parses CSV (RFC 4180): fields with commas, quotes or line breaks are quoted, and quotes inside doubled; empty lines
 * are skipped.
 * @throws ApiError PGRST102 for an unterminated or misplaced quote
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
