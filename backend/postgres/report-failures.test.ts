import { expect, test } from "vitest";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { connectDatabase } from "./database.ts";
import { DatabaseError } from "./database-error.ts";
import { createFailureReport } from "./report-failures.ts";

test("a full disk and an unreachable database are logged once; callers' errors are not", async () => {
  const own = await createTestDatabase();
  const lines: string[] = [];
  const database = connectDatabase({
    url: own.url,
    max: 1,
    report: (line, level) => lines.push(`${level} ${line}`),
  });
  const raise = (code: string) =>
    database.query(`do $$ begin raise exception using errcode = '${code}', message = E'no\nspace'; end $$`);
  await expect(database.query("select 1 / 0")).rejects.toThrow();
  await expect(raise("57014")).rejects.toThrow();
  expect(lines).toEqual([]);
  await expect(raise("53100")).rejects.toThrow();
  await expect(raise("53100")).rejects.toThrow();
  await own.drop();
  await expect(database.query("select 1")).rejects.toThrow();
  await database.close();
  expect(lines).toEqual([
    "error The database fails: no space (SQLSTATE 53100)",
    expect.stringMatching(/^error Requests fail: the database can't be reached: ./),
  ]);
});

test("a persisting failure is logged again after a minute, and another kind at once", () => {
  const lines: string[] = [];
  let time = 0;
  const { record, diskFailed } = createFailureReport(
    (line) => lines.push(line),
    () => time,
  );
  const full = new DatabaseError({ code: "53100", message: "full" });
  expect(diskFailed()).toBe(false);
  record(full);
  time = 59_999;
  expect(diskFailed()).toBe(true);
  record(full);
  record(new DatabaseError({ code: "58030", message: "broken" }));
  time = 60_000;
  record(full);
  time = 120_000;
  expect(diskFailed()).toBe(false);
  expect(lines.map((line) => line.slice(20))).toEqual([
    "full (SQLSTATE 53100)",
    "broken (SQLSTATE 58030)",
    "full (SQLSTATE 53100)",
  ]);
});
