import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("no page's scripts exceed the limit of npm run size", async () => {
  const script = fileURLToPath(new URL("../../scripts/size.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(stdout).toContain("KB  /calculator");
});
