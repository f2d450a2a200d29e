import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build-site.mjs";
import { ensureChromium } from "./install-chromium.mjs";
import { ensureInstalled } from "./install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runVitest } from "./run-vitest.mjs";

/** Runs the tests; arguments go to vitest. The last line is `N passed, N failed`. */
runScript(async () => {
  await ensureInstalled();
  const chromium = await ensureChromium();
  await ensureBuilt();
  const folder = mkdtempSync(join(tmpdir(), "fruit-values-results-"));
  try {
    const run = () => runVitest(folder, process.argv.slice(2), { CHROMIUM_PATH: chromium });
    const code = (await run()) ?? (await runAgain(run));
    console.log(summarise(join(folder, "results.json"), code));
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Once more: what got stuck is told above, and one machine's bad moment is no verdict on the site. */
async function runAgain(run) {
  console.error("The tests were ended and are started once more.");
  return (await run()) ?? 1;
}

/** A file that broke before its tests could run is a failure too, and so is an error outside of any test. */
function summarise(results, code) {
  const { passed, failed, skipped } = countTests(results);
  const failures = code !== 0 && failed === 0 ? 1 : failed;
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function countTests(results) {
  try {
    const report = JSON.parse(readFileSync(results, "utf8"));
    const broken = report.testResults.filter(
      (file) => file.status === "failed" && file.assertionResults.length === 0,
    ).length;
    const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
    return { passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
