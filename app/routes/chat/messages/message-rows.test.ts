import { expect, test } from "vitest";
import { arrangeMessages } from "./message-rows.ts";

const messageOf = (user: string, created_at: string, username = user) => ({
  id: created_at,
  user_id: user,
  username,
  message: "hi",
  created_at,
});

test("a name is shown once per run: again after another person, a pause, a new name or on a new day", () => {
  const rows = arrangeMessages(
    [
      messageOf("ana", "2026-11-20T23:50:00Z"),
      messageOf("ana", "2026-11-20T23:55:00Z"),
      messageOf("ana", "2026-11-21T00:00:00Z"),
      messageOf("ben", "2026-11-21T00:01:00Z"),
      messageOf("ana", "2026-11-21T00:02:00Z"),
      messageOf("ana", "2026-11-21T00:07:01Z"),
      messageOf("ana", "2026-11-21T00:08:00Z", "Ana"),
    ],
    "UTC",
  );
  expect(rows.map(({ startsDay, startsGroup }) => [startsDay, startsGroup])).toEqual([
    [true, true],
    [false, false],
    [true, true],
    [false, true],
    [false, true],
    [false, true],
    [false, true],
  ]);
});

test("days follow the reader's time zone", () => {
  const rows = arrangeMessages(
    [messageOf("ana", "2026-11-20T23:58:00Z"), messageOf("ana", "2026-11-21T00:00:00Z")],
    "Pacific/Auckland",
  );
  expect(rows[1]).toMatchObject({ startsDay: false, startsGroup: false });
});
