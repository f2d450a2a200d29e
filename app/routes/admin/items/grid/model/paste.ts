import type { Area, GridOrder, Spot } from "./selection.ts";

/** A spreadsheet's cells, row by row. */
export type Block = readonly (readonly string[])[];

/**
 * Parses what spreadsheets put on the clipboard: cells separated by tabs, rows by line breaks; a quoted cell may
 * contain both, and doubled quotes. The line break after the last row adds no row.
 */
export function readSheet(text: string): Block {
  const rows: string[][] = [[]];
  let at = 0;
  const row = () => rows.at(-1) as string[];
  while (at <= text.length) {
    const quoted = text[at] === '"' ? /^"((?:[^"]|"")*)"(?=[\t\r\n]|$)/.exec(text.slice(at)) : null;
    const end = quoted ? at + quoted[0].length : endOfCell(text, at);
    row().push(quoted ? (quoted[1] ?? "").replaceAll('""', '"') : text.slice(at, end));
    at = end;
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    if (text[at] === "\n" || text[at] === "\r") rows.push([]);
    at += 1;
  }
  const last = rows.at(-1);
  if (rows.length > 1 && last?.length === 1 && last[0] === "") rows.pop();
  return rows;
}

function endOfCell(text: string, from: number): number {
  const found = text.slice(from).search(/[\t\r\n]/);
  return found === -1 ? text.length : from + found;
}

export function writeSheet(block: Block): string {
  return block.map((row) => row.map(quote).join("\t")).join("\n");
}

function quote(cell: string): string {
  return /["\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The target of each cell, and the number of rows that found none. */
export type Placed = { cells: [Spot, string][]; left: number };

/**
 * Places a block at the top left of the selection; a single row or cell, or a block that fits several times, fills the
 * whole selection, as in spreadsheets.
 */
export function placeBlock(block: Block, area: Area, order: GridOrder): Placed {
  const height = block.length;
  const width = Math.max(...block.map((row) => row.length));
  const [tall, wide] = [area.bottom - area.top + 1, area.right - area.left + 1];
  const tiles = tall % height === 0 && wide % width === 0;
  const [rows, columns] = tiles ? [tall, wide] : [height, width];
  const cells: [Spot, string][] = [];
  let left = 0;
  for (let down = 0; down < rows; down += 1) {
    const row = order.rows[area.top + down];
    if (row === undefined) left += 1;
    for (let right = 0; row !== undefined && right < columns; right += 1) {
      const text = block[down % height]?.[right % width];
      const column = area.left + right;
      if (text !== undefined && column < order.columns) cells.push([{ row, column }, text]);
    }
  }
  return { cells, left };
}

export type Named = { id: string; name: string; slug: string; aliases: string };

/** The rows by name, slug and alias, in lowercase. An item's name beats another's slug, and both beat an alias. */
export function rowsByName(items: readonly Named[]): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  const enter = (textsOf: (item: Named) => readonly string[]) => {
    for (const item of items) for (const text of textsOf(item)) rows.set(text.trim().toLowerCase(), item.id);
  };
  enter(({ aliases }) => aliases.split(","));
  enter(({ slug }) => [slug]);
  enter(({ name }) => [name]);
  rows.delete("");
  return rows;
}

export type NamedPaste = {
  /** The rows by their items' names, slugs and aliases, in lowercase. */
  rows: ReadonlyMap<string, string>;
  /** The column of a heading, in lowercase. */
  columnOf(heading: string): number | undefined;
  /** The columns of the cells after the name if there are no headings. */
  columns: readonly number[];
};

/** The target of each cell, and the names that found none. */
export type PlacedByName = Pick<Placed, "cells"> & { unknown: readonly string[] };

/**
 * Places a block whose first cells are names: each row goes to its item wherever that is, and a first row of headings
 * determines the columns. Null if no first cell is a known name.
 */
export function placeByName(block: Block, { rows, columnOf, columns }: NamedPaste): PlacedByName | null {
  const small = (text = "") => text.trim().toLowerCase();
  const headings = block[0]?.slice(1).map((heading) => columnOf(small(heading))) ?? [];
  const hasHead = !rows.has(small(block[0]?.[0])) && headings.some((each) => each !== undefined);
  const targets = hasHead ? headings : columns;
  const cells: [Spot, string][] = [];
  const unknown: string[] = [];
  let found = 0;
  for (const [name = "", ...texts] of hasHead ? block.slice(1) : block) {
    if ([name, ...texts].every((text) => text.trim() === "")) continue;
    const row = rows.get(small(name));
    if (row === undefined) unknown.push(name.trim());
    else found += 1;
    for (const [index, text] of texts.entries()) {
      const column = targets[index];
      if (row !== undefined && column !== undefined) cells.push([{ row, column }, text]);
    }
  }
  return found === 0 ? null : { cells, unknown };
}

/** Copies the first row's texts to the other rows of an area. */
export function fillDown(area: Area, order: GridOrder, textAt: (spot: Spot) => string): [Spot, string][] {
  const first = order.rows[area.top];
  if (first === undefined) return [];
  const columns = Array.from({ length: area.right - area.left + 1 }, (_, index) => area.left + index);
  const block = [columns.map((column) => textAt({ row: first, column }))];
  const below = { ...area, top: area.top + 1 };
  return area.bottom > area.top ? placeBlock(block, below, order).cells : [];
}
