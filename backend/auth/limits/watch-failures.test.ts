import { expect, test } from "vitest";
import { SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { watchFailures } from "./watch-failures.ts";

test("a burst is logged once in ten minutes, a hundred failures over hours never", () => {
  let now = 0;
  const lines: string[] = [];
  const watch = watchFailures(
    (line) => lines.push(line),
    SINGLE_PROCESS,
    () => now,
  );
  const fail = (times: number, everyMs: number) => {
    for (let i = 0; i < times; i++, now += everyMs) watch.note(`198.51.100.${i % 7}`);
  };
  fail(300, 60_000);
  expect(lines).toEqual([]);
  fail(500, 10);
  fail(500, 10);
  expect(lines).toEqual([
    "auth: 100 sign-ins failed within a minute, from 7 networks. Someone may be guessing passwords.",
  ]);
  now += 600_000;
  fail(100, 10);
  expect(lines).toHaveLength(2);
});
