import { onTestFinished } from "vitest";
import { runOn } from "./run-on.ts";
import { testSite } from "./site.ts";

/**
 * Changes the running site's data by SQL as superuser and restores it when the test ends, since other journeys visit
 * the same site. Pages follow within a moment, so poll for the result.
 */
export async function changeSite(
  change: string,
  undo: string,
  databaseUrl = testSite().databaseUrl,
): Promise<void> {
  onTestFinished(async () => void (await runOn(databaseUrl, undo)));
  await runOn(databaseUrl, change);
}
