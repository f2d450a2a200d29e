import { ensureBuilt } from "./build-site.mjs";
import { ensureInstalled } from "./install/install-packages.mjs";
import { restartLean } from "./keep-memory-low.mjs";
import { requireNoArguments, runScript, SETTINGS_HINT } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

runScript(async () => {
  requireNoArguments("npm start", SETTINGS_HINT);
  await ensureInstalled();
  await ensureBuilt();
  restartLean();
  return await runServer("server/main.ts", "production");
});
