import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { describeCause } from "./describe-cause.ts";
import { createLog, type LogFormat } from "./log.ts";
import { fromOperator, logText, quoteScrubbed } from "./log-text.ts";
import { readRequestId, runAsRequest } from "./request-id.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 10, 22) }));
afterEach(() => void vi.useRealTimers());

function openLog(format: LogFormat = "human") {
  const lines: string[] = [];
  return { lines, log: createLog({ format, write: (line) => void lines.push(line) }) };
}

test("a line has its time, its level and its request id, for humans or as JSON", () => {
  const { lines, log } = openLog();
  log(logText`one`);
  runAsRequest("a-request", () => log(logText`two\nforged \u001b[31m`, "error"));
  expect(lines).toEqual([
    "2026-11-22T00:00:00.000Z info one\n",
    "2026-11-22T00:00:00.000Z error request=a-request two forged  [31m\n",
  ]);
  const json = openLog("json");
  runAsRequest("a-request", () => json.log(logText`two\n`, "warn"));
  expect(JSON.parse(json.lines[0] as string)).toEqual({
    time: "2026-11-22T00:00:00.000Z",
    level: "warn",
    request: "a-request",
    message: "two\n",
  });
});

test("lines are bounded by kind and in total, counted, and written again in the next minute", () => {
  const { lines, log } = openLog();
  for (let i = 0; i < 1_000; i++) log(logText`auth: GET /path-${i} failed after ${i} ms`);
  expect(lines).toHaveLength(10);
  for (let i = 0; i < 1_000; i++) log(logText`kind ${fromOperator(String.fromCodePoint(0x4e00 + i))}`);
  expect(lines).toHaveLength(100);
  log(logText`something else`, "error");
  expect(lines, "a flood of one level hides no other").toHaveLength(101);
  vi.advanceTimersByTime(60_000);
  log(logText`on again`);
  expect(lines.slice(101).map((line) => line.slice(25, -1))).toEqual([
    "info 990 more lines within a minute like: auth: GET /path-0 failed after 0 ms",
    "info 910 more lines of other kinds within a minute",
    "info on again",
  ]);
});

test("an error is described without its message", () => {
  const text = describeCause(Object.assign(new TypeError("secret of ann@example.org"), { code: "E1" }));
  expect(text).toMatch(/^TypeError E1 at .*log\.test\.ts/);
  expect(text).not.toMatch(/secret|ann@/);
});

test("a request id is taken from a trusted proxy if well-formed, else generated", () => {
  const named = { "x-request-id": "trace-0123456789" };
  expect(readRequestId(named, "X-Request-Id")).toBe("trace-0123456789");
  for (const id of [
    readRequestId(named, null),
    readRequestId({ "x-request-id": "a b\u00e9forged" }, "x-request-id"),
  ])
    expect(id).toMatch(/^[\w-]{12}$/);
});

test.each([
  ["mail from ann.lee+fruit@example.org was refused", "mail from (mail) was refused"],
  ["no route to 203.0.113.9:443 or 2001:db8::1", "no route to (address):443 or (address)"],
  ["Key (user_id)=(0b8f3a52-1c1d-4e0e-9f7b-7a3a6b1c2d3e)", "Key (user_id)=((id))"],
  ["Bearer eyJhbGciOi.eyJzdWIi.c2ln failed", "Bearer (token) failed"],
  ["postgres://postgres:hunter2@localhost/db", "…//…@localhost/db"],
  ["sent to +49 170 1234567", "sent to (telephone)"],
  ["apikey sb_secret_9f8e7d6c5b4a39281706", "apikey (secret)"],
  [
    "could not write to file base/16384/2619 at line 12",
    "could not write to file base/16384/2619 at line 12",
  ],
])("quoted text is scrubbed: %s", (text, scrubbed) => {
  expect(quoteScrubbed(text)).toBe(scrubbed);
});

test("a plain string cannot be logged", () => {
  const { log, lines } = openLog();
  const name: string = "Ann";
  // @ts-expect-error only what the source worded, numbers, and what was scrubbed
  log(name);
  // @ts-expect-error the same in the middle of a sentence
  log(logText`${name} has signed in`);
  expect(lines).toHaveLength(2);
});
