import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Summarizes the results.json in `folder`. */
export function readResults(folder) {
  try {
    const report = JSON.parse(readFileSync(join(folder, "results.json"), "utf8"));
    const failedFiles = report.testResults.filter((file) => file.status === "failed");
    // A file that failed before its tests could run is a failure too.
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

/** An error outside of any test also fails the run, and counts as one failure. */
export function summarize({ passed, failed, skipped }, code) {
  const failures = code !== 0 && failed === 0 ? 1 : failed;
  return `${passed} passed, ${failures} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
