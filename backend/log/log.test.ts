import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeCause } from "./describe-cause.ts";
import { createLog, type LogFormat } from "./log.ts";
import { readRequestId, runAsRequest } from "./request-id.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22) }));
afterEach(() => void vi.useRealTimers());

function openLog(format: LogFormat = "human") {
  const lines: string[] = [];
  return { lines, log: createLog({ format, write: (line) => void lines.push(line) }) };
}

test("a line has its time, its level and the id of its request, for people or for machines", () => {
  const { lines, log } = openLog();
  log("one");
  runAsRequest("a-request", () => log("two\nforged \u001b[31m", "error"));
  expect(lines).toEqual([
    "2026-11-22T00:00:00.000Z info one\n",
    "2026-11-22T00:00:00.000Z error request=a-request two forged  [31m\n",
  ]);
  const json = openLog("json");
  runAsRequest("a-request", () => json.log("two\n", "warn"));
  expect(JSON.parse(json.lines[0] as string)).toEqual({
    time: "2026-11-22T00:00:00.000Z",
    level: "warn",
    request: "a-request",
    message: "two\n",
  });
});

test("lines of one kind, and of all kinds, are bounded, counted, and written again in the next minute", () => {
  const { lines, log } = openLog();
  for (let i = 0; i < 1_000; i++) log(`auth: GET /path-${i} failed after ${i} ms`);
  expect(lines).toHaveLength(10);
  for (let i = 0; i < 1_000; i++) log(`kind ${String.fromCodePoint(0x4e00 + i)}`);
  expect(lines).toHaveLength(100);
  log("something else", "error");
  expect(lines, "a flood of one level hides no other").toHaveLength(101);
  vi.advanceTimersByTime(60_000);
  log("on again");
  expect(lines.slice(101).map((line) => line.slice(25, -1))).toEqual([
    "info 990 more lines within a minute like: auth: GET /path-0 failed after 0 ms",
    "info 910 more lines of other kinds within a minute",
    "info on again",
  ]);
});

test("a failure is described without its words", () => {
  const text = describeCause(Object.assign(new TypeError("secret of ann@example.org"), { code: "E1" }));
  expect(text).toMatch(/^TypeError E1 at .*log\.test\.ts/);
  expect(text).not.toMatch(/secret|ann@/);
});

test("a request's id is the proxy's where that is trusted and well-formed, else a new one", () => {
  const named = { "x-request-id": "trace-0123456789" };
  expect(readRequestId(named, "X-Request-Id")).toBe("trace-0123456789");
  for (const id of [
    readRequestId(named, null),
    readRequestId({ "x-request-id": "a b\u00e9forged" }, "x-request-id"),
  ])
    expect(id).toMatch(/^[\w-]{12}$/);
});
