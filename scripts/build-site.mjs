import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compressAssets } from "./compress-assets.mjs";
import { showProgress } from "./console-progress.mjs";
import { pinnedNode, root, runQuietly } from "./run-command.mjs";
import { takeTurn } from "./take-turn.mjs";

/** All inputs of the build. */
export const INPUTS = [
  "app",
  "domain",
  "public",
  "package-lock.json",
  "react-router.config.ts",
  "vite.config.ts",
  "scripts/compress-assets.mjs",
  "scripts/fonts",
  "scripts/offline",
  "scripts/styles",
];
const STAMP = `${root}build/inputs`;
/** Not in `build`, which the build empties first. */
export const TURN = `${root}.cache/building`;

/** Builds the site if its sources have changed since the last build. */
export async function ensureBuilt() {
  if (isBuilt()) return;
  mkdirSync(dirname(TURN), { recursive: true });
  // Concurrent builds would mix their files.
  const turn = await takeTurn(TURN, () => console.log("Another process is building the site: waiting …"));
  try {
    if (isBuilt()) return;
    rmSync(STAMP, { force: true });
    const inputs = hashInputs();
    await showProgress("Building the site", () => "", build);
    if (turn.isOurs()) {
      writeFileSync(STAMP, inputs);
      return;
    }
  } finally {
    turn.release();
  }
  // Lost while this process was suspended: the next one has built into the same files.
  await ensureBuilt();
}

function isBuilt() {
  return existsSync(STAMP) && readFileSync(STAMP, "utf8") === hashInputs();
}

async function build() {
  await runQuietly(pinnedNode, [`${root}node_modules/.bin/react-router`, "build"], {
    NODE_ENV: "production",
  });
  await runQuietly(pinnedNode, [`${root}scripts/offline/build-worker.ts`], { NODE_ENV: "production" });
  await compressAssets(`${root}build/client`);
}

/** By content, not by modification time: a checkout changes the times of all files. */
function hashInputs() {
  const hash = createHash("sha256");
  for (const path of INPUTS.flatMap((input) => listFiles(join(root, input)))) {
    hash
      .update(`${path.slice(root.length)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex");
}

function listFiles(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name)));
}
