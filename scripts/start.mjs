import { ensureBuilt } from "./build-site.mjs";
import { ensureInstalled } from "./install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return await runServer("server/main.ts", "production");
});
