import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build-site.mjs";
import { ensureChromium } from "./install/install-chromium.mjs";
import { ensureInstalled } from "./install/install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runVitest } from "./tests/run-vitest.mjs";
import { readResults, summarize } from "./tests/test-results.mjs";

/** With more failing files than this, a busy machine is not the cause. */
const MAX_FILES_TO_REPEAT = 6;

/** Runs the tests; arguments go to vitest. The last line is `N passed, N failed`. */
runScript(async () => {
  await ensureInstalled();
  const chromium = await ensureChromium();
  await ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-results-"));
  try {
    const run = (args) => runVitest(folder, args, { CHROMIUM_PATH: chromium });
    const args = process.argv.slice(2);
    const code = (await run(args)) ?? (await runAgain(run, args));
    const results = readResults(folder);
    const repeated = code === 0 ? null : await repeatFailed(results, chromium, folder);
    console.log(repeated ?? summarize(results, code));
    return repeated ? 0 : code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Retries once after a hang, which is reported above and may be due to a busy machine. */
async function runAgain(run, args) {
  console.error("The tests were ended and are started once more.");
  return (await run(args)) ?? 1;
}

/**
 * Reruns a few failed files alone on the machine, and reports which tests failed only the first time: those are flaky
 * and should be fixed, but do not block a release. Null if there is nothing to rerun or it failed again.
 */
async function repeatFailed(results, chromium, folder) {
  const { failedFiles, failedTests } = results;
  if (failedFiles.length === 0 || failedFiles.length > MAX_FILES_TO_REPEAT) return null;
  console.error(`Once more, alone: ${failedFiles.join(", ")}`);
  const repeatFolder = join(folder, "repeated");
  mkdirSync(repeatFolder);
  const code = await runVitest(repeatFolder, [...failedFiles, "--maxWorkers=1"], { CHROMIUM_PATH: chromium });
  if (code !== 0) return null;
  for (const test of failedTests) console.error(`Unsteady, passed only when run again: ${test}`);
  return summarize({ ...results, passed: results.passed + results.failed, failed: 0 }, 0);
}
