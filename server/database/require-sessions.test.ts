import { expect, test, vi } from "vitest";
import { openSilentDatabase } from "#tests/helpers/silent-database.ts";
import { describeFault } from "../configuration/start-error.ts";
import { requireSessions } from "./require-sessions.ts";

test("a database that accepts the connection and stays silent is told after 30 seconds", async () => {
  const { url, opened } = await openSilentDatabase();
  const outcome = requireSessions(url, "DATABASE_URL").catch(describeFault);
  await opened;
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await outcome).toBe("A server cannot be reached: it did not answer within 30 s.");
});
