import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

test("a program that is killed is told by its name and the usual cause, whether or not its output is shown", () => {
  const program = `
    import { runForeground, runQuietly, runScript } from "./scripts/run-command.mjs";
    const killed = ["/bin/sh", ["-c", "kill -9 $$"]];
    await runScript(async () => console.error(await runForeground(...killed)));
    await runScript(() => runQuietly(...killed));`;
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
  });
  expect([status, stderr.split("\n").filter(Boolean)]).toEqual([
    1,
    [
      "/bin/sh was killed (SIGKILL), most often for lack of memory.",
      "137",
      "/bin/sh -c kill -9 $$ was killed (SIGKILL), most often for lack of memory.",
    ],
  ]);
});
