import { expect, test } from "vitest";
import type { Act } from "./act-queries.ts";
import { describeAct, describeGroup, groupActs, listChanges, nameAdmin } from "./describe-act.ts";

const names = { eve: "WiseHeron300", ben: "CalmPanda200" };
const act = (change: Partial<Act>): Act => ({
  id: 1,
  at: "2026-11-21T12:00:00Z",
  admin_id: "eve",
  act: "update",
  table_name: "items",
  row_id: "1",
  person_id: null,
  title: "Kitsune",
  old: null,
  new: null,
  ...change,
});

test.each([
  [{}, "changed the item Kitsune"],
  [{ act: "restore" }, "restored the item Kitsune"],
  [{ act: "insert", table_name: "field_definitions", title: "Origin" }, "added the field Origin"],
  [{ table_name: "ads", title: "values_grid" }, "changed the ad Values Grid"],
  [{ act: "delete", table_name: "chat_messages", person_id: "ben" }, "deleted a message of CalmPanda200"],
  [{ act: "delete", table_name: "avatars", person_id: "ben" }, "removed the picture of CalmPanda200"],
  [{ act: "insert", table_name: "user_roles", person_id: "eve" }, "gave the admin role to WiseHeron300"],
  [{ table_name: "chat_reports", person_id: "gone" }, "handled a report about someone whose account is gone"],
  [
    { table_name: "chat_reports", person_id: "ben", new: { resolved_at: null } },
    "reopened a report about CalmPanda200",
  ],
  [{ act: "delete", table_name: "user_ratings", person_id: "ben" }, "deleted a rating by CalmPanda200"],
  [{ act: "delete", table_name: "contact_messages", title: null }, "deleted a contact message"],
  [{ act: "insert", table_name: "word_requests", title: "sprog" }, "took in the word sprog"],
  [{ act: "delete", table_name: "word_requests", title: "sprog" }, "refused the word sprog"],
  [{ act: "insert", table_name: "game_update_items" }, "added Kitsune to a game update"],
  [{ act: "delete", table_name: "game_update_items" }, "took Kitsune out of a game update"],
  [{ table_name: "status_words", title: "fading" }, "changed the status word fading"],
  [{ act: "insert", table_name: "item_value_checks" }, "found the values of Kitsune still right"],
])("%j: %s", (change, sentence) => expect(describeAct(act(change), names)).toBe(sentence));

test("an action without an account is the operator's", () => {
  expect(nameAdmin(act({}), names)).toBe("WiseHeron300");
  expect(nameAdmin(act({ admin_id: null }), names)).toBe("The operator");
});

test("changes are listed column by column, in words", () => {
  const changed = act({
    old: { display_order: 1, icon: "", enabled: false },
    new: { display_order: 2, icon: "x", enabled: true },
  });
  expect(listChanges(changed)).toEqual([
    { column: "Display Order", before: "1", after: "2" },
    { column: "Icon", before: "nothing", after: "x" },
    { column: "Enabled", before: "No", after: "Yes" },
  ]);
  expect(listChanges(act({ new: { id: "1", user_id: "ben", until: "infinity", list: ["a"] } }))).toEqual([
    { column: "Until", before: null, after: "for good" },
    { column: "List", before: null, after: '["a"]' },
  ]);
  const [moment] = listChanges(act({ new: { until: "2026-11-21T12:00:00+00:00" } }));
  expect(moment?.after).toMatch(/^Nov 2\d, 2026, \d+:\d\d [AP]M$/);
  expect(listChanges(act({}))).toEqual([]);
});

test("the rows of one transaction are one entry", () => {
  const at = "2026-11-21T13:00:00Z";
  const groups = groupActs([
    act({ id: 4, at }),
    act({ id: 3, at }),
    act({ id: 2 }),
    act({ id: 1, act: "insert" }),
  ]);
  expect(groups.map((group) => [group.key, describeGroup(group, names)])).toEqual([
    [4, "changed 2 items at once"],
    [2, "changed the item Kitsune"],
    [1, "added the item Kitsune"],
  ]);
});

test("the number of an entry that goes on in what is not read yet is not told as the whole one", () => {
  const rest = act({ id: 1 });
  const tell = (older: Act | null) =>
    groupActs([act({ id: 3 }), act({ id: 2 })], older).map((group) => describeGroup(group, names));
  expect(tell(rest)).toEqual(["changed more than 2 items at once"]);
  expect(tell({ ...rest, at: "2026-11-21T11:00:00Z" })).toEqual(["changed 2 items at once"]);
  expect(describeGroup({ key: 3, acts: [act({})], isCut: true }, names)).toBe(
    "changed more than 1 item at once",
  );
});

test.each([
  [{ act: "insert", table_name: "game_update_items" }, "added 2 items of a game update at once"],
  [{ act: "delete", table_name: "game_update_items" }, "took out 2 items of a game update at once"],
  [{ act: "insert", table_name: "item_value_checks" }, "found the values of 2 items still right"],
  [{ act: "delete", table_name: "word_requests" }, "refused 2 words at once"],
  [{ table_name: "categories" }, "changed 2 categories at once"],
  [{ table_name: "reports" }, "handled 2 reports at once"],
  [{ table_name: "reports", new: { resolved_at: null } }, "reopened 2 reports at once"],
])("several %j: %s", (change, sentence) => {
  const [group] = groupActs([act({ id: 2, ...change }), act({ id: 1, ...change })]);
  expect(group && describeGroup(group, names)).toBe(sentence);
});

test("rows that are referred to by id are named", () => {
  const moved = act({ old: { category_id: "c1" }, new: { category_id: "c2" } });
  expect(listChanges(moved, { c1: "Fruits" })).toEqual([
    { column: "Category", before: "Fruits", after: "c2" },
  ]);
});

test("a text is told as it is, whatever it is", () => {
  const names = { c1: "Fruits" };
  const told = (change: Record<string, string>) =>
    listChanges(act({ new: change }), names).map(({ after }) => after);
  expect(told({ name: "constructor", label: "__proto__", icon: "c1" })).toEqual([
    "constructor",
    "__proto__",
    "c1",
  ]);
  expect(told({ category_id: "constructor" })).toEqual(["constructor"]);
});
