import { ensureInstalled } from "./install/install-packages.mjs";
import { runForeground, runScript } from "./run-command.mjs";

runScript(async () => {
  await ensureInstalled();
  return await runForeground("npm", ["run", "--silent", "check:all"]);
});
