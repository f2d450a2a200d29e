import { onTestFinished } from "vitest";
import { runOn } from "./run-on.ts";
import { testSite } from "./site.ts";

/**
 * Changes what the running site shows, by SQL as superuser, and puts it back when the test ends: other journeys visit
 * the same site. The pages follow within a moment, so poll for what the change brings.
 */
export async function changeSite(
  change: string,
  undo: string,
  databaseUrl = testSite().databaseUrl,
): Promise<void> {
  onTestFinished(async () => void (await runOn(databaseUrl, undo)));
  await runOn(databaseUrl, change);
}
