import { ensureInstalled } from "./install/install-packages.mjs";
import { requireNoArguments, runForeground, runScript } from "./run-command.mjs";

runScript(async () => {
  requireNoArguments("npm run check");
  await ensureInstalled();
  return await runForeground("npm", ["run", "--silent", "check:all"]);
});
