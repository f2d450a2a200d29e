import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Node keeps here what it made of packages and sources: each worker and each site that a test starts reads them again. */
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** What takes a moment takes many on a busy machine; a test that passes waits no longer than it must. */
const patient = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 30_000 } } };

/**
 * A worker goes on with the next file: a process for each, with all that it imports and a browser, would cost more than
 * many files do. What a file puts in the place of something else it takes back.
 */
const together = { isolate: false, unstubGlobals: true };

/** They measure the memory of the process that they run in. */
const MEASURING = ["backend/storage/{content,delivery}.test.ts"];

const ORDER = ["sites", "code, alone", "code"];

/**
 * What takes long begins first, and what takes a moment fills the end: a worker that waits for another's last file is a
 * core that does nothing.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const place = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}

/** Each project has its own ground to stand on, made once. */
export default defineConfig({
  test: {
    // One more than cores that a small machine has: half of the time a test that starts and ends sites waits for them. With
    // two more the whole is as long, and tests are late.
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
