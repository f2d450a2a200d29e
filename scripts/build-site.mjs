import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressAssets } from "./compress-assets.mjs";
import { showProgress } from "./console-progress.mjs";
import { pinnedNode, root, runQuietly } from "./run-command.mjs";

/** Everything that the built site depends on. */
const INPUTS = ["app", "domain", "public", "package-lock.json", "react-router.config.ts", "vite.config.ts", "scripts/compress-assets.mjs"];
const STAMP = `${root}build/inputs`;

/** Builds the site when its sources are not the ones it was last built from. */
export async function ensureBuilt() {
  const inputs = hashInputs();
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === inputs) return;
  rmSync(STAMP, { force: true });
  await showProgress("Building the site", () => "", build);
  writeFileSync(STAMP, inputs);
}

async function build() {
  await runQuietly(pinnedNode, [`${root}node_modules/.bin/react-router`, "build"], { NODE_ENV: "production" });
  await compressAssets(`${root}build/client`);
}

/** By content, not by time: a checkout gives every file a new time. */
function hashInputs() {
  const hash = createHash("sha256");
  for (const path of INPUTS.flatMap((input) => listFiles(join(root, input)))) {
    hash.update(`${path.slice(root.length)}\0`).update(readFileSync(path)).update("\0");
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
