import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { watchNpm } from "./install/watch-npm.mjs";
import { LEAN_ENVIRONMENT, LEAN_FLAGS } from "./keep-memory-low.mjs";
import { pinnedNode, root, runForeground } from "./run-command.mjs";

/**
 * Runs a TypeScript program on the pinned Node, in this process if it is that Node. Sets `NODE_ENV` before anything is
 * loaded: React checks it on load, and its development build is three times slower.
 */
export async function runServer(entry, nodeEnv) {
  watchNpm(() => process.kill(process.pid, "SIGTERM"));
  if (process.versions.node === readPinnedVersion()) {
    process.env.NODE_ENV = nodeEnv;
    process.chdir(root);
    await import(pathToFileURL(root + entry).href);
    return undefined;
  }
  return await runForeground(pinnedNode, [...LEAN_FLAGS, root + entry, ...process.argv.slice(2)], {
    env: { ...LEAN_ENVIRONMENT, NODE_ENV: nodeEnv },
    ipc: true,
  });
}

function readPinnedVersion() {
  return JSON.parse(readFileSync(`${root}node_modules/node/package.json`, "utf8")).version;
}
