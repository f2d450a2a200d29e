import { readFileSync } from "node:fs";
import { join } from "node:path";

/** What a run over test files came to, read from the results.json in `folder`. */
export function readResults(folder) {
  try {
    const report = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
    const failedFiles = report.testResults.filter((file) => file.status === "failed");
    // A file that broke before its tests could run is a failure too.
    const broken = failedFiles.filter((file) => file.assertionResults.length === 0).length;
    return {
      passed: report.numPassedTests,
      failed: report.numFailedTests + broken,
      skipped: report.numPendingTests + (report.numTodoTests ?? 0),
      failedFiles: failedFiles.map((file) => file.name),
      failedTests: failedFiles.flatMap((file) => failedTestsOf(file)),
    };
  } catch {
    return { passed: 0, failed: 0, skipped: 0, failedFiles: [], failedTests: [] };
  }
}

function failedTestsOf({ name, assertionResults }) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  return failed.map((test) => `${name} › ${test.fullName}`);
}

/** An error outside of any test fails the run as well, and is one failure. */
export function summarize({ passed, failed, skipped }, code) {
  const failures = code !== 0 && failed === 0 ? 1 : failed;
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
