import { expect, test, vi } from "vitest";
import { openSilentDatabase } from "#tests/helpers/silent-database.ts";
import { withClient } from "./with-client.ts";

test("a database that accepts the connection and stays silent fails after 30 seconds", async () => {
  const { url, opened } = await openSilentDatabase();
  const outcome = withClient(url, "test", async () => "answered").catch((error: unknown) => error);
  await opened;
  await vi.advanceTimersByTimeAsync(29_000);
  expect(await Promise.race([outcome, Promise.resolve("still waiting")])).toBe("still waiting");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await outcome).toMatchObject({ code: "ETIMEDOUT", message: "it did not answer within 30 s" });
});
