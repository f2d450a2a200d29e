import { ensureInstalled } from "./install/install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

runScript(async () => {
  await ensureInstalled();
  return await runServer("server/main.ts", "development");
});
