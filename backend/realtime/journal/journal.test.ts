import { expect, test, vi } from "vitest";
import { logText } from "#backend/log/log-text.ts";
import { createJournal } from "./journal.ts";

test("a recurring event is logged at once, then once a minute, and at once again after a quiet minute", () => {
  vi.useFakeTimers();
  const lines: string[] = [];
  const journal = createJournal((line) => lines.push(line));
  for (let times = 0; times < 1_000; times++) journal.note(logText`a reader was too slow`);
  journal.note(logText`a channel was flooded`);
  expect(lines).toEqual(["a reader was too slow", "a channel was flooded"]);
  vi.advanceTimersByTime(60_000);
  expect(lines.slice(2)).toEqual(["a reader was too slow (999 more times)"]);
  vi.advanceTimersByTime(120_000);
  journal.note(logText`a reader was too slow`);
  expect(lines.slice(3)).toEqual(["a reader was too slow"]);
  journal.close();
  vi.useRealTimers();
});
