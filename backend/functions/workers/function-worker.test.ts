import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const startWithoutDescriptors = `
  import { closeSync, openSync } from "node:fs";
  import { startWorker } from "#backend/functions/workers/function-worker.ts";
  const setup = { name: "it", entry: "/it.ts", folder: "/", packages: "/", environment: {}, log: (line) => console.log(line) };
  const held = [];
  try {
    for (;;) held.push(openSync("/dev/null"));
  } catch {}
  let answer;
  try {
    startWorker(setup, { memory: 1e8, cpuTime: 1 });
  } catch ({ status, code }) {
    answer = status + " " + code;
  }
  held.map(closeSync);
  // Node reports the failure of a spawn on the next tick.
  setImmediate(() => console.log(answer));
`;

test("a worker is refused, and the server goes on, when the machine has no file descriptors left", () => {
  const node = [process.execPath, "--input-type=module", "--eval", startWithoutDescriptors];
  const { stdout, stderr } = spawnSync("sh", ["-c", 'ulimit -n 100; exec "$@"', "sh", ...node], {
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  expect(stdout).toContain("503 SERVICE_UNAVAILABLE\n");
  expect(stdout).toContain("functions: it could not be started: Error EMFILE");
});
