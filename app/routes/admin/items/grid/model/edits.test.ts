import { describe, expect, test } from "vitest";
import {
  type CellKey,
  dropCells,
  type Edits,
  type GridDraft,
  keepLocalEdit,
  keyOf,
  markOf,
  NO_DRAFT,
  noteCells,
  partsOf,
  reconcile,
  redo,
  type Stored,
  settle,
  undo,
  writeCells,
} from "./edits.ts";

const [a, b, c] = ["a", "b", "c"].map((id) => keyOf(id, "current_value")) as [CellKey, CellKey, CellKey];
const catalogue = (texts: Record<CellKey, string>): Stored => {
  return (key) => texts[key] ?? null;
};
const stored = catalogue({ [a]: "1M", [b]: "2M", [c]: "3M" });
const texts = ({ edits }: { edits: Edits }) =>
  Object.fromEntries([...edits].map(([key, { text }]) => [partsOf(key).id, text]));
const write = (draft: GridDraft, ...changes: [CellKey, string][]) => writeCells(draft, changes, stored);

describe("writing cells", () => {
  test("stores edits with the previous text, as one undo step", () => {
    const draft = write(NO_DRAFT, [a, "5M"], [b, "6M"]);
    expect([...draft.edits]).toEqual([
      [a, { text: "5M", was: "1M" }],
      [b, { text: "6M", was: "2M" }],
    ]);
    expect(draft.past.length).toBe(1);
  });

  test("is no edit if the text is published already, or the item was deleted", () => {
    expect(write(NO_DRAFT, [a, "1M"])).toBe(NO_DRAFT);
    expect(texts(write(write(NO_DRAFT, [a, "5M"]), [a, "1M"]))).toEqual({});
    expect(write(NO_DRAFT, [keyOf("gone", "demand"), "low"])).toBe(NO_DRAFT);
  });

  test("keeps the original text and the note when a cell is typed again", () => {
    const noted = noteCells(write(NO_DRAFT, [a, "5M"]), [a, b], " seen twice ", stored);
    const moved = catalogue({ [a]: "9M" });
    expect(writeCells(noted, [[a, "7M"]], moved).edits.get(a)).toEqual({
      text: "7M",
      was: "1M",
      note: "seen twice",
    });
    expect(noteCells(noted, [a], "", stored).edits.get(a)).toEqual({ text: "5M", was: "1M" });
  });
});

describe("undo and redo", () => {
  test("undo everything, and redo everything", () => {
    let draft = write(NO_DRAFT, [a, "5M"], [b, "6M"]);
    draft = write(draft, [a, "7M"]);
    draft = noteCells(draft, [a], "why", stored);
    draft = dropCells(draft, [b], stored);
    const states = [draft];
    while (draft.past.length > 0) {
      draft = undo(draft, stored);
      states.push(draft);
    }
    expect(states.map(texts)).toEqual([
      { a: "7M" },
      { a: "7M", b: "6M" },
      { a: "7M", b: "6M" },
      { a: "5M", b: "6M" },
      {},
    ]);
    expect(undo(draft, stored)).toBe(draft);
    while (draft.future.length > 0) draft = redo(draft, stored);
    expect([...draft.edits]).toEqual([[a, { text: "7M", was: "1M", note: "why" }]]);
    expect(redo(draft, stored)).toBe(draft);
  });

  test("are cleared by a new step", () => {
    const draft = write(undo(write(NO_DRAFT, [a, "5M"]), stored), [b, "6M"]);
    expect(draft.future).toEqual([]);
    expect(texts(draft)).toEqual({ b: "6M" });
  });

  test("turn a published text into an unsaved cell with its former text, and back", () => {
    const typed = write(NO_DRAFT, [a, "5M"]);
    const published = catalogue({ [a]: "5M" });
    const settled = reconcile(typed, published);
    expect(texts(settled)).toEqual({});
    const undone = undo(settled, published);
    expect([...undone.edits]).toEqual([[a, { text: "1M", was: "5M" }]]);
    expect(texts(redo(undone, published))).toEqual({});
  });

  test("leave alone what someone else published meanwhile", () => {
    const theirs = catalogue({ [a]: "9M" });
    expect(texts(undo(write(NO_DRAFT, [a, "5M"]), theirs))).toEqual({});
    const again = redo(undo(write(NO_DRAFT, [a, "5M"]), theirs), theirs);
    expect(again.edits.get(a)).toEqual({ text: "5M", was: "1M" });
  });
});

describe("what others publish meanwhile", () => {
  const theirs = catalogue({ [a]: "9M", [b]: "6M" });

  test("does not matter in another cell, ends an edit with the same text, and clashes with a different one", () => {
    const draft = reconcile(write(NO_DRAFT, [a, "5M"], [b, "6M"]), theirs);
    expect(texts(draft)).toEqual({ a: "5M" });
    const edit = draft.edits.get(a);
    expect(edit && markOf(edit, theirs(a))).toBe("clash");
    expect(edit && markOf(edit, stored(a))).toBe("unsaved");
  });

  test("can be accepted, or overwritten on purpose", () => {
    const draft = write(NO_DRAFT, [a, "5M"]);
    expect(texts(dropCells(draft, [a], theirs))).toEqual({});
    expect(keepLocalEdit(draft, a, theirs).edits.get(a)).toEqual({ text: "5M", was: "9M" });
    expect(undo(keepLocalEdit(draft, a, theirs), theirs).edits.get(a)?.was).toBe("1M");
  });
});

test("sent cells are removed when published or proposed, and stay marked when refused", () => {
  const draft = write(NO_DRAFT, [a, "5M"], [b, "6M"], [c, "7M"]);
  const [sentA, sentB, sentC] = [a, b, c].map((key) => draft.edits.get(key));
  if (!sentA || !sentB || !sentC) throw new Error("not edited");
  const retyped = write(draft, [c, "8M"]);
  const settled = settle(retyped, [
    [a, sentA, null],
    [b, sentB, { outcome: "refused", why: "This item is gone" }],
    [c, sentC, null],
  ]);
  expect(texts(settled)).toEqual({ b: "6M", c: "8M" });
  const refused = settled.edits.get(b);
  expect(refused && markOf(refused, "2M")).toBe("refused");
  // Typed again, it is a new edit.
  expect(write(settled, [b, "7M"]).edits.get(b)).toEqual({ text: "7M", was: "2M" });
});
