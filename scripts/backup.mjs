import { ensureInstalled } from "./install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

runScript(async () => {
  await ensureInstalled();
  return await runServer("server/commands/back-up.ts", "production");
});
