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

test("what a command would ignore is refused before anything is built", () => {
  const refused = spawnSync(process.execPath, ["scripts/start.mjs", "--port", "4000"], { encoding: "utf8" });
  expect([refused.status, refused.stdout, refused.stderr]).toEqual([
    1,
    "",
    "npm start takes no arguments: settings are environment variables or lines of .env, and .env.example lists them.\n",
  ]);
});

test.each([
  ["simulation", "--seed=1"],
  ["simulation", "--seeds=many"],
  ["fuzz", "--only=rest,rset"],
  ["faults", "--only=node,nod"],
  ["image", "--help"],
])("npm run test:%s refuses %s by its usage", (name, option) => {
  const { status, stderr } = spawnSync(process.execPath, [`tests/${name}/main.ts`, option], {
    encoding: "utf8",
  });
  expect([status, stderr.split("\n")]).toEqual([
    1,
    [expect.stringContaining(`Usage: npm run test:${name} -- [--`), ""],
  ]);
});
