import { defineConfig } from "vitest/config";

/** Each project has its own ground to stand on, made once; they run one after the other, since two cores carry one. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    // What takes a moment takes several on a busy machine.
    expect: { poll: { timeout: 5_000 } },
    projects: [
      {
        test: {
          name: "code",
          include: [
            "{app,backend,bench,domain,scripts,server,supabase}/**/*.test.{ts,tsx}",
            "tests/{conformance,database,helpers,tree}/**/*.test.{ts,tsx}",
          ],
          globalSetup: ["tests/helpers/database-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: "journeys",
          include: ["tests/journeys/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/helpers/site-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 30_000,
          // What a page shows within a moment is late when the machine has much else to do.
          expect: { poll: { timeout: 10_000 } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "server",
          include: ["tests/server/**/*.test.{ts,tsx}"],
          globalSetup: ["tests/helpers/build-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
