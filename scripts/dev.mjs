import { ensureInstalled } from "./install/install-packages.mjs";
import { requireNoArguments, runScript, SETTINGS_HINT } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

runScript(async () => {
  requireNoArguments("npm run dev", SETTINGS_HINT);
  await ensureInstalled();
  return await runServer("server/main.ts", "development");
});
