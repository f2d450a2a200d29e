import { ensureInstalled } from "./install/install-packages.mjs";
import { runScript } from "./run-command.mjs";
import { runServer } from "./run-server.mjs";

// usage: node scripts/run.mjs PROGRAM [ARGUMENT …]; the program finds its arguments in process.argv as usual.
runScript(async () => {
  await ensureInstalled();
  const [program] = process.argv.splice(2, 1);
  return await runServer(program, "production");
});
