import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { makeNewUsersAdults } from "./adult-users.ts";
import { copyDataDir } from "./copy-data-dir.ts";
import { startServer } from "./server-process.ts";

/** The site that all journeys of a run visit. */
export type TestSite = {
  /** Such as `http://127.0.0.1:41234`; passed to `openPage` as `baseUrl`. */
  address: string;
  /** As superuser, to change what the pages show. Revert your changes: other files visit the same site. */
  databaseUrl: string;
};

declare module "vitest" {
  interface ProvidedContext {
    testSite: TestSite;
  }
}

/** All users in all journeys come from one address, in quicker succession than real ones. */
const ONE_MACHINE = {
  GOTRUE_RATE_LIMIT_SIGN_UPS: "1000",
  GOTRUE_RATE_LIMIT_SIGN_INS: "1000",
  GOTRUE_MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY: "1000",
  GOTRUE_RATE_LIMIT_PASSKEY: "1000",
};

/** Starts the real built site once for the whole run, with its own database and the starting catalog. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = copyDataDir(project.getProvidedContext().readyData);
  const server = await startServer({ env: { DATA_DIR: dataDir, AVATAR_UPLOADS: "on", ...ONE_MACHINE } });
  const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  await makeNewUsersAdults(databaseUrl);
  project.provide("testSite", { address: server.address, databaseUrl });
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
