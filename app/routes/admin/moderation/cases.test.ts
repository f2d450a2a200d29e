import { expect, test } from "vitest";
import type { Report } from "./case-queries.ts";
import { groupCases } from "./cases.ts";

const report = (id: string, evidence: string): Report => ({
  id,
  kind: "rating",
  code: "insult",
  subject_id: "rating",
  message_id: null,
  evidence,
  reason: null,
  created_at: "2026-11-28T08:00:00Z",
  sent_at: null,
  resolved_at: null,
  reported_user_id: "ben",
  reported: { username: "CalmPanda200", avatar_url: null },
  reporter: null,
});

test("a rating that was edited between two reports is shown as each of them saw it", () => {
  const cases = groupCases([report("1", "Slow"), report("2", "Worse"), report("3", "Slow")]);
  const shown = cases.flatMap((each) => each.evidence);
  expect(shown.map(({ text, reports }) => [text, reports.map(({ id }) => id)])).toEqual([
    ["Slow", ["1", "3"]],
    ["Worse", ["2"]],
  ]);
  expect(new Set(shown.map(({ key }) => key)).size).toBe(2);
});
