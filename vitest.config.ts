import { defineConfig } from "vitest/config";

/** Node keeps here what it made of packages and sources: each test file and each site that one starts reads them again. */
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/compiled`;

/** What takes a moment takes many on a busy machine; a test that passes waits no longer than it must. */
const patient = { testTimeout: 90_000, hookTimeout: 90_000, expect: { poll: { timeout: 30_000 } } };

/** Each project has its own ground to stand on, made once; they run one after the other, since two cores carry one. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "code",
          include: [
            "{app,backend,bench,domain,scripts,server,supabase}/**/*.test.{ts,tsx}",
            "tests/{conformance,database,helpers,simulation,tree}/**/*.test.{ts,tsx}",
          ],
          globalSetup: ["tests/helpers/database-setup.ts"],
          ...patient,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "journeys",
          include: ["tests/journeys/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/helpers/ready-data-setup.ts", "tests/helpers/site-setup.ts"],
          ...patient,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "server",
          include: ["tests/{faults,fuzz,image,server}/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/helpers/ready-data-setup.ts"],
          ...patient,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
