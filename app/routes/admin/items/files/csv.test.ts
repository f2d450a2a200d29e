import { expect, test } from "vitest";
import type { Item } from "#app/features/items/item-queries.ts";
import { type ImportRow, planImport } from "#domain/items/item-import.ts";
import { LINES_MAX, readCsv, readText, writeCsv, writeRefused } from "./csv.ts";

test.each([
  ["", "This file is empty."],
  ["rarity,demand\nrare,low", "The first line must name the columns and include slug or name."],
  ["slug,name,Slug\na,b,c", "The column slug appears twice in the first line."],
  ["slug,name\n,\n", "This file has nothing below its first line."],
  ['slug,name\na,A\nb,"B', "A quote that opens in line 3 is never closed. Is the file whole?"],
  [`slug\n${"a\n".repeat(LINES_MAX + 1)}`, "This file has 5001 lines; at most 5000 are imported at once."],
])("a file is refused as a whole: %.20j", async (text, sentence) => {
  await expect(readCsv(text, [])).rejects.toThrow(sentence);
});

test("cells are matched by heading, quotes and line breaks are parsed, unknown columns are reported", async () => {
  const text =
    '\ufeffSlug,Current Value,color,custom_origin\r\nkitsune,"1,5M",red,"a ""b""\nc"\r\nspin,2\r\n';
  expect(await readCsv(text, ["custom_origin"])).toEqual({
    ignored: ["color"],
    lines: [
      { line: 3, cells: { slug: "kitsune", current_value: "1,5M", custom_origin: 'a "b"\nc' } },
      { line: 4, cells: { slug: "spin", current_value: "2" } },
    ],
  });
});

test("a line with an extra comma is refused, since its figures would be shifted; an empty line is skipped", async () => {
  const { lines } = await readCsv("slug,beli_price\nkitsune,1,000,000\n,\nspin,7500,,\n", []);
  const context = { items: [], categories: [], definitions: [], statuses: [] };
  const [first, second] = planImport(lines, context);
  expect(first).toMatchObject({ line: 2, slug: "kitsune", kind: "refused" });
  expect(first).toMatchObject({ reason: expect.stringContaining("More cells than the first line has") });
  expect(second).toMatchObject({ line: 4, reason: expect.not.stringContaining("More cells") });
});

test("a text is decoded by its byte order mark; an old encoding is refused instead of losing letters", async () => {
  const text = "slug,name\nkitsune,Kitsüne\n";
  for (const encoding of ["utf8", "utf16le"] as const)
    expect(await readText(new Blob([Buffer.from(`\ufeff${text}`, encoding)]))).toBe(text);
  await expect(readText(new Blob([Buffer.from(text, "latin1")]))).rejects.toThrow("Save it as CSV UTF-8.");
});

test("the line that tells Excel the delimiter is no heading", async () => {
  expect((await readCsv("sep=;\r\nslug;name\r\nkitsune;Kit, sune\r\n", [])).lines).toEqual([
    { line: 3, cells: { slug: "kitsune", name: "Kit, sune" } },
  ]);
});

test.each([";", "\t"])(
  "columns separated by %j, as some spreadsheets save them, are read too",
  async (parted) => {
    const text = `\ufeffSlug${parted}Current Value\r\nkitsune${parted}"1,5M"\r\n`;
    expect(await readCsv(text, [])).toEqual({
      ignored: [],
      lines: [{ line: 2, cells: { slug: "kitsune", current_value: "1,5M" } }],
    });
  },
);

test.each([
  ...[
    "=1+1",
    "+1 Storage",
    "-2",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝1+1",
    "'=1+1",
    "''+1",
    '=cmd|"/c calc"!A1',
  ],
  ...["'quoted'", "it's", "'", "", "5M"],
])("no spreadsheet executes %j, and the import restores it unchanged", async (name) => {
  const item = { slug: "one", name, custom_fields: { custom_origin: name } } as unknown as Item;
  const text = writeCsv([item], [], ["custom_origin"]);
  const { parse } = await import("csv-parse/sync");
  const cells = (parse(text, { bom: true }) as string[][])[1] ?? [];
  for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  const { lines } = await readCsv(text, ["custom_origin"]);
  expect(lines[0]?.cells).toMatchObject({ name, custom_origin: name });
});

test("what is written reads back the same", async () => {
  const item = {
    slug: "plus-1",
    name: '+1 "Storage", big\nor small ',
    category_id: "c",
    current_value: "450M",
    permanent_value: null,
    is_permanent: false,
    custom_fields: { custom_origin: "Sea" },
  } as unknown as Item;
  const text = writeCsv([item], [{ id: "c", slug: "gamepasses" } as never], ["custom_origin"]);
  const { lines } = await readCsv(text, ["custom_origin"]);
  expect(lines[0]?.cells).toMatchObject({
    slug: "plus-1",
    name: item.name,
    category: "gamepasses",
    current_value: "450M",
    permanent_value: "",
    is_permanent: "false",
    custom_origin: "Sea",
  });
});

test("refused lines are written unchanged, and their line numbers and reasons are not item columns", async () => {
  const { lines } = await readCsv("slug,current_value,custom_origin\na,=1,x\nb,,\n", ["custom_origin"]);
  const [first, second] = lines.map(({ line }) => ({ line, slug: "" }));
  const text = writeRefused(lines, [
    { ...first, kind: "refused", reason: "Value is required, really" },
    { ...second, kind: "same" },
  ] as ImportRow[]);
  expect(text).toBe(
    '\ufeffslug,current_value,custom_origin,line,reason\r\na,\'=1,x,2,"Value is required, really"\r\n',
  );
  expect(await readCsv(text, ["custom_origin"])).toEqual({ ignored: [], lines: lines.slice(0, 1) });
});
