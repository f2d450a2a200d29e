import { expect, onTestFinished, test, vi } from "vitest";
import { createLookUp } from "./use-look-up.ts";

type Face = { url: string };

const settle = () => new Promise((resolve) => setImmediate(resolve));
const idsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `${from + n}`);
const wantedOf = (ids: readonly string[], version = "1") => new Map(ids.map((id) => [id, version]));

/** A look-up and what it asked for; the table has what is known of each id. */
function lookUp(table: Map<string, Face>) {
  const asked: string[][] = [];
  const { store, want, stop } = createLookUp<Face>(async (ids) => {
    asked.push([...ids]);
    return new Map([...table].filter(([id]) => ids.includes(id)).map(([id, face]) => [id, { ...face }]));
  });
  return { asked, want, stop, shown: (id: string) => store.current().get(id)?.value };
}

test("each of any number of ids is asked for once, at most a hundred at a time", async () => {
  const { asked, want, shown } = lookUp(new Map(idsOf(0, 251).map((id) => [id, { url: id }])));
  want(wantedOf(idsOf(0, 250)));
  await settle();
  expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
  expect(asked.flat()).toEqual(idsOf(0, 250));
  want(wantedOf(idsOf(0, 251)));
  await settle();
  expect(asked.slice(3)).toEqual([["250"]]);
  expect([shown("0"), shown("250")]).toEqual([{ url: "0" }, { url: "250" }]);
});

test("a new version of an id is read again: what is gone meanwhile does not stay, the rest is the same object", async () => {
  const table = new Map(["ana", "ben", "eve"].map((id) => [id, { url: id }]));
  const { asked, want, shown } = lookUp(table);
  want(wantedOf(["ana", "ben", "eve"]));
  await settle();
  const before = shown("ben");
  table.delete("ana");
  table.delete("eve");
  want(new Map([...wantedOf(["ana", "ben"], "2"), ...wantedOf(["eve"])]));
  expect(shown("ana")).toEqual({ url: "ana" });
  await settle();
  expect(asked.slice(1)).toEqual([["ana", "ben"]]);
  expect([shown("ana"), shown("eve")]).toEqual([null, { url: "eve" }]);
  expect(shown("ben")).toBe(before);
});

test("a version that comes during a request is asked for after it", async () => {
  const { asked, want } = lookUp(new Map());
  for (const version of ["1", "2", "3"]) want(wantedOf(["ana"], version));
  await settle();
  expect(asked).toEqual([["ana"], ["ana"]]);
});

test("a failed request is repeated, until the messages are no longer shown", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const read = vi.fn().mockRejectedValue(new TypeError("Failed to fetch"));
  const { want, stop } = createLookUp<Face>(read);
  want(wantedOf(["ana"]));
  await vi.advanceTimersByTimeAsync(3000);
  expect(read).toHaveBeenCalledTimes(2);
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(2);
});
