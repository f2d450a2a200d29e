import { afterAll, beforeAll, test } from "vitest";
import type { TestDatabase } from "#tests/helpers/database.ts";
import { createLongCatalogue, expectFewCalls, ITEMS } from "./long-catalogue.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createLongCatalogue();
});
afterAll(() => database.drop());

test("the ranges of a long catalog are read without a function call per value", async () => {
  const question = "select count(*)::integer as found from public.list_value_ranges()";
  await expectFewCalls(database, "visitor", question, 2 * ITEMS);
});
