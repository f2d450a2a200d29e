import fc from "fast-check";
import { expect, test } from "vitest";
import { comparePlaces, toChatMessage } from "./chat-message.ts";

const momentOf = (created_at: string) =>
  toChatMessage({ id: "1", user_id: "2", username: "a", message: "b", created_at }).created_at;

test.each([
  ["2026-11-21T10:43:05.12+00:00", "2026-11-21T10:43:05.120000Z"],
  ["2026-11-21T10:43:05+00:00", "2026-11-21T10:43:05.000000Z"],
  ["2026-11-21 10:43:05.123456+00", "2026-11-21T10:43:05.123456Z"],
  ["2026-11-21T10:43:05.000001Z", "2026-11-21T10:43:05.000001Z"],
  ["2026-11-21T12:43:05.123456+02:00", "2026-11-21T10:43:05.123456Z"],
  ["2026-11-20T23:13:05.9-11:30", "2026-11-21T10:43:05.900000Z"],
])("%s is kept as %s", (written, kept) => expect(momentOf(written)).toBe(kept));

test("messages of the same time have one definite order too", () => {
  const place = fc.record({
    created_at: fc.constantFrom("2026-11-21T10:43:05.100000Z", "2026-11-21T10:43:05.100001Z"),
    id: fc.constantFrom("a", "b", "c"),
  });
  fc.assert(
    fc.property(place, place, (a, b) => {
      expect(Math.sign(comparePlaces(a, b))).toBe(-Math.sign(comparePlaces(b, a)) + 0);
      expect(comparePlaces(a, b) === 0).toBe(a.id === b.id && a.created_at === b.created_at);
    }),
  );
});
