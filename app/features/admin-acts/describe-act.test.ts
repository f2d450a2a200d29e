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
  [{ act: "insert", table_name: "field_definitions", title: "Origin" }, "added the field Origin"],
  [{ table_name: "ads", title: "values_grid" }, "changed the ad Values Grid"],
  [{ act: "delete", table_name: "chat_messages", person_id: "ben" }, "deleted a message of CalmPanda200"],
  [{ act: "delete", table_name: "avatars", person_id: "ben" }, "removed the picture of CalmPanda200"],
  [{ act: "insert", table_name: "user_roles", person_id: "eve" }, "gave the admin role to WiseHeron300"],
  [
    { table_name: "chat_reports", person_id: "gone" },
    "handled a report about somebody whose account is gone",
  ],
  [
    { table_name: "chat_reports", person_id: "ben", new: { resolved_at: null } },
    "opened again a report about CalmPanda200",
  ],
  [{ act: "delete", table_name: "user_ratings", person_id: "ben" }, "deleted a rating by CalmPanda200"],
  [{ act: "delete", table_name: "contact_messages", title: null }, "deleted a contact message"],
  [{ act: "insert", table_name: "item_value_checks" }, "found the values of Kitsune still right"],
])("%j: %s", (change, sentence) => expect(describeAct(act(change), names)).toBe(sentence));

test("an act without an account is the operator's", () => {
  expect(nameAdmin(act({}), names)).toBe("WiseHeron300");
  expect(nameAdmin(act({ admin_id: null }), names)).toBe("The operator");
});

test("changes stand column by column", () => {
  const changed = act({ old: { a: 1, b: "" }, new: { a: 2, b: "x" } });
  expect(listChanges(changed)).toEqual([
    { column: "a", before: "1", after: "2" },
    { column: "b", before: "nothing", after: "x" },
  ]);
  expect(listChanges(act({ new: { list: ["a"] } }))).toEqual([
    { column: "list", before: null, after: '["a"]' },
  ]);
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
