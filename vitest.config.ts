import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Node's compile cache, shared by all workers and all sites that tests start. */
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** Timeouts for a busy machine; a passing test waits no longer than it must. */
const patient = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 30_000 } } };

/**
 * Workers are reused for the next file: a process per file, with all its imports and a browser, would take longer than
 * many of the files. Files restore whatever they replace.
 */
const together = { isolate: false, unstubGlobals: true };

/** These measure the memory of their own process. */
const MEASURING = ["backend/storage/{content,delivery}.test.ts"];

const ORDER = ["sites", "code, alone", "code"];

/**
 * Long files run first and short ones fill in at the end, so that no core sits idle waiting for another worker's last
 * file.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Each project has its own global setup. */
export default defineConfig({
  test: {
    // One more than a small machine's cores: half of the time, a test that starts and stops sites waits for them. Two
    // more are no faster overall, and individual tests take longer.
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: "code",
          include: [
            "{app,backend,bench,domain,scripts,server,supabase}/**/*.test.{ts,tsx}",
            "tests/{conformance,database,helpers,simulation,tree}/**/*.test.{ts,tsx}",
          ],
          exclude: ["**/node_modules/**", ...MEASURING],
          globalSetup: ["tests/helpers/database-setup.ts"],
          ...patient,
          ...together,
        },
      },
      {
        test: {
          name: "code, alone",
          include: MEASURING,
          globalSetup: ["tests/helpers/database-setup.ts"],
          ...patient,
        },
      },
      {
        test: {
          name: "sites",
          include: ["tests/{faults,fuzz,image,journeys,server}/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/helpers/ready-data-setup.ts", "tests/helpers/site-setup.ts"],
          ...patient,
          ...together,
        },
      },
    ],
  },
});
