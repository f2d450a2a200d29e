import { describe, expect, test } from "vitest";
import {
  type Block,
  fillDown,
  type NamedPaste,
  type Placed,
  placeBlock,
  placeByName,
  readSheet,
  rowsByName,
  writeSheet,
} from "./paste.ts";
import { orderOf } from "./selection.ts";

const order = orderOf(["a", "b", "c", "d"], 3);
const written = ({ cells }: Pick<Placed, "cells">) =>
  cells.map(([{ row, column }, text]) => `${row}${column}=${text}`).join(" ");
const told = (placed: Placed) => [written(placed), placed.left];
const at = (top: number, left: number, bottom = top, right = left) => ({ top, bottom, left, right });

describe("a spreadsheet's text", () => {
  test.each<[string, Block]>([
    ["640M", [["640M"]]],
    [
      "1\t2\r\n3\t4\r\n",
      [
        ["1", "2"],
        ["3", "4"],
      ],
    ],
    ["1\n\n3\n", [["1"], [""], ["3"]]],
    [
      '"a\tb"\t"say ""hi"""\n"two\nlines"\t2',
      [
        ["a\tb", 'say "hi"'],
        ["two\nlines", "2"],
      ],
    ],
    ['5" nails\t2', [['5" nails', "2"]]],
    ["", [[""]]],
  ])("%j is read", (text, block) => expect(readSheet(text)).toEqual(block));

  test("reads back as it was written", () => {
    const block = [
      ["a\tb", 'q"', "plain"],
      ["line\nend", "", "3"],
    ];
    expect(readSheet(writeSheet(block))).toEqual(block);
  });
});

describe("a pasted block", () => {
  const block = [
    ["1", "2"],
    ["3", "4"],
  ];

  test("starts at the top left of the selection, and is cut off at the edges", () => {
    expect(told(placeBlock(block, at(1, 1), order))).toEqual(["b1=1 b2=2 c1=3 c2=4", 0]);
    expect(told(placeBlock(block, at(3, 2), order))).toEqual(["d2=1", 1]);
  });

  test("fills a selection that is a multiple of its size", () => {
    expect(told(placeBlock([["9"]], at(0, 1, 2, 1), order))).toEqual(["a1=9 b1=9 c1=9", 0]);
    expect(told(placeBlock(block, at(0, 0, 3, 1), order))[0]).toBe("a0=1 a1=2 b0=3 b1=4 c0=1 c1=2 d0=3 d1=4");
    expect(told(placeBlock(block, at(0, 0, 2, 1), order))[0]).toBe("a0=1 a1=2 b0=3 b1=4");
  });

  test("leaves cells alone that its shorter rows lack", () =>
    expect(told(placeBlock([["1", "2"], ["3"]], at(0, 0), order))[0]).toBe("a0=1 a1=2 b0=3"));
});

test("a row is found by its item's name before another's slug, and by both before an alias", () => {
  const rows = rowsByName([
    { id: "1", name: "Dragon", slug: "dragon", aliases: "" },
    { id: "2", name: "East", slug: "leo", aliases: "Dragon, old" },
    { id: "3", name: "Leo", slug: "leopard", aliases: "east" },
  ]);
  expect(Object.fromEntries(rows)).toEqual({ dragon: "1", east: "2", old: "2", leo: "3", leopard: "3" });
});

describe("a block with names", () => {
  const headings: Record<string, number> = { value: 1, permanent: 2 };
  const named: NamedPaste = {
    rows: new Map(order.rows.map((row) => [row, row])),
    columnOf: (heading) => headings[heading],
    columns: [1, 2],
  };

  test("finds its rows wherever they are, and names those it does not know", () => {
    const placed = placeByName([["C", "5"], ["a", "6", "7"], [""], [" Nobody", "8"], [" ", ""]], named);
    expect(placed && [written(placed), placed.unknown]).toEqual(["c1=5 a1=6 a2=7", ["Nobody"]]);
  });

  test("maps its columns by a row of headings", () => {
    const placed = placeByName(
      [
        ["Item", "Permanent", "Color", "Value"],
        ["b", "5", "red", "6"],
      ],
      named,
    );
    expect(placed && [written(placed), placed.unknown]).toEqual(["b2=5 b1=6", []]);
  });

  test("is an ordinary block if no name is known", () =>
    expect(
      placeByName(
        [
          ["x", "1"],
          ["y", "2"],
        ],
        named,
      ),
    ).toBeNull());
});

test("the first row's texts fill the rows below", () => {
  const filled = fillDown(at(0, 1, 2, 2), order, ({ row, column }) => `${row}${column}`);
  expect(told({ cells: filled, left: 0 })[0]).toBe("b1=a1 b2=a2 c1=a1 c2=a2");
  expect(fillDown(at(1, 1), order, () => "")).toEqual([]);
});
