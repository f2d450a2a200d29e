import { ensureBuilt } from "./build-site.mjs";
import { ensureInstalled } from "./install/install-packages.mjs";
import { requireNoArguments, runScript } from "./run-command.mjs";

/** The preparation part of `npm start`, for machines where only a start is wanted later. */
runScript(async () => {
  requireNoArguments("npm run build");
  await ensureInstalled();
  await ensureBuilt();
});
