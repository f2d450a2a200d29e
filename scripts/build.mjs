import { ensureBuilt } from "./build-site.mjs";
import { ensureInstalled } from "./install-packages.mjs";
import { runScript } from "./run-command.mjs";

/** What `npm start` does before it starts, for machines where only a start is wanted later. */
runScript(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
