import { expect, test } from "vitest";
import { formatChangeQuery, parseChangeQuery } from "./change-query.ts";

const ALL = { item: "", kind: null, category: null, mode: null, size: null, before: null };

test.each([
  ["", ALL, ""],
  ["?item=+dough+&size=25", { ...ALL, item: "dough", size: 25 }, "?item=dough&size=25"],
  [
    "?category=limiteds&mode=permanent&before=400",
    { ...ALL, category: "limiteds", mode: "permanent", before: "400" },
    "?category=limiteds&mode=permanent&before=400",
  ],
  ["?kind=demand&before=d12", { ...ALL, kind: "demand", before: "d12" }, "?kind=demand&before=d12"],
  ["?kind=all&before=dd1", ALL, ""],
  ["?category=A%20b&mode=both&size=26&before=-1", ALL, ""],
  ["?before=1e3&size=&mode=", ALL, ""],
  ["?item=%00", ALL, ""],
])("%s", (search, query, written) => {
  expect(parseChangeQuery(search)).toEqual(query);
  expect(formatChangeQuery(parseChangeQuery(search))).toBe(written);
});
