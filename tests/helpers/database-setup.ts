import type { TestProject } from "vitest/node";
import { withClient } from "#backend/postgres/with-client.ts";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { loadCatalogue } from "#server/database/load-catalogue.ts";
import { loadVocabularies } from "#server/database/load-vocabularies.ts";
import { type EmbeddedPostgres, startPostgres } from "#server/postgres/start-postgres.ts";
import { fastestFolder } from "./copy-data-dir.ts";
import { onDatabase } from "./database-url.ts";
import { oncePerRun } from "./once-per-run.ts";
import { startOtherPostgres } from "./other-postgres.ts";

/** What test files need to clone their own database. */
export type TestCluster = { url: string; authenticatorUrl: string; template: string };

declare module "vitest" {
  interface ProvidedContext {
    testCluster: TestCluster;
  }
}

const TEMPLATE = "test_template";

/** Starts one throwaway PostgreSQL for the whole run, with a template database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, authenticatorUrl, stop } = await oncePerRun("cluster", startWithTemplate);
  project.provide("testCluster", { url, authenticatorUrl, template: TEMPLATE });
  return () => oncePerRun("cluster's end", stop);
}

async function startWithTemplate() {
  const postgres = await startCluster();
  try {
    await makeTemplate(postgres.url, postgres.authenticatorPassword);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  return postgres;
}

/** The embedded PostgreSQL, or the one whose programs are in `TEST_POSTGRES`, such as /usr/lib/postgresql/15/bin. */
async function startCluster(): Promise<
  Pick<EmbeddedPostgres, "url" | "authenticatorUrl" | "authenticatorPassword" | "stop">
> {
  const { TEST_POSTGRES: programs } = process.env;
  if (!programs) return startPostgres({ ephemeral: true, dataDir: fastestFolder() });
  const { url, stop } = await startOtherPostgres({ programs });
  const authenticatorUrl = url.replace("postgres:postgres@", "authenticator:authenticator@");
  return { url, authenticatorUrl, authenticatorPassword: "authenticator", stop };
}

async function makeTemplate(clusterUrl: string, authenticatorPassword: string): Promise<void> {
  await withClient(clusterUrl, "test", async (client) => {
    await client.query(`create database ${TEMPLATE}`);
    const url = onDatabase(clusterUrl, TEMPLATE);
    await applyBackendSchema(url, { authenticatorPassword, authAdminPassword: authenticatorPassword });
    await applyMigrations(url);
    await loadCatalogue(url);
    await loadVocabularies(url);
    await client.query(`alter database ${TEMPLATE} is_template true`);
  });
}
