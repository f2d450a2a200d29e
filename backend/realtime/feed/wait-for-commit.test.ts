import { expect, test } from "vitest";
import { connectDatabase, type Query } from "#backend/postgres/database.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { waitForCommit } from "./wait-for-commit.ts";

test("a connection that is lost while a commit is waited for does not end the wait", async () => {
  const testDatabase = await createTestDatabase();
  const database = connectDatabase({ url: testDatabase.url });
  const asked: string[] = [];
  const { promise: askedAgain, resolve: sayAskedAgain } = Promise.withResolvers<"still waiting">();
  const query: Query = async (text, values) => {
    if (asked.push(text) === 1) return database.query("select pg_terminate_backend(pg_backend_pid())");
    const rows = await database.query(text, values);
    if (asked.length === 3) sayAskedAgain("still waiting");
    return rows;
  };
  let waiting: Promise<"visible"> | undefined;
  await database.transaction(async (own) => {
    const [writer] = await own("select pg_current_xact_id()::text as xid");
    waiting = waitForCommit({ query }, Number(writer?.xid)).then(() => "visible");
    expect(await Promise.race([waiting, askedAgain])).toBe("still waiting");
  });
  expect(await waiting).toBe("visible");
  await database.close();
  await testDatabase.drop();
});
