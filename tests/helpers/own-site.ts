import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { makeNewUsersAdults } from "./adult-users.ts";
import { readyDataDir } from "./ready-data.ts";
import { type ServerProcess, startServer } from "./server-process.ts";
import type { TestSite } from "./site-setup.ts";

/** All test users come from one address, in quicker succession than real ones. */
const ONE_MACHINE = { GOTRUE_RATE_LIMIT_SIGN_UPS: "1000", GOTRUE_RATE_LIMIT_SIGN_INS: "1000" };

/**
 * A site for a single test file, for journeys that change what every visitor sees. Its fields are set once the first
 * test begins. `env` is the operator's configuration. New accounts are adults unless the test `asksAge`.
 */
export function ownSite(env: Record<string, string> = {}, { asksAge = false } = {}): TestSite {
  const site: TestSite = { address: "", databaseUrl: "" };
  const dataDir = readyDataDir();
  let starting: Promise<ServerProcess> | undefined;
  beforeAll(async () => {
    starting = startServer({ env: { DATA_DIR: dataDir, ...ONE_MACHINE, ...env } });
    const server = await starting;
    site.address = server.address;
    site.databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
    if (!asksAge) await makeNewUsersAdults(site.databaseUrl);
  });
  // Also closes a site that became ready only after the tests gave up on it.
  afterAll(async () => {
    await (await starting)?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return site;
}
