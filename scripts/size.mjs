import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { ensureBuilt } from "./build-site.mjs";
import { ensureInstalled } from "./install/install-packages.mjs";
import { requireNoArguments, root, runScript, ScriptError } from "./run-command.mjs";

/** Limit in KB (1,000 bytes), gzipped, for the scripts of a page's first view; React and the router take 107. */
const LIMIT_KB = 132;
const CLIENT = `${root}build/client`;

/** Prints the JavaScript size of each page's first view, and fails if one exceeds the limit. */
runScript(async () => {
  requireNoArguments("npm run size");
  await ensureInstalled();
  await ensureBuilt();
  const manifest = readManifest();
  const pages = Object.values(manifest.routes)
    .filter((route) => route.id !== "root" && route.hasDefaultExport)
    .map((route) => ({ path: `/${route.path ?? ""}`, kb: weigh(listScripts(manifest, route)) / 1_000 }))
    .sort((a, b) => b.kb - a.kb);
  for (const { path, kb } of pages) console.log(`${kb.toFixed(2).padStart(6)} KB  ${path}`);
  console.log(`At most ${LIMIT_KB} KB of gzip for each page.`);
  const over = pages.filter(({ kb }) => kb > LIMIT_KB);
  if (over.length > 0) throw new ScriptError(`Too heavy: ${over.map(({ path }) => path).join(", ")}`);
});

/** The router's own list of what each route loads; the browser gets the same file. */
function readManifest() {
  const name = readdirSync(`${CLIENT}/assets`).find((file) => /^manifest-.*\.js$/.test(file));
  const script = readFileSync(`${CLIENT}/assets/${name}`, "utf8");
  return JSON.parse(script.slice(script.indexOf("=") + 1, script.lastIndexOf(";")));
}

/** Every module that the document loads directly: the entry, the route, its parents, and their imports. */
function listScripts(manifest, route) {
  const parents = [];
  for (let at = route; at; at = manifest.routes[at.parentId]) parents.push(at);
  const modules = [manifest.entry, ...parents].flatMap(({ module, imports }) => [module, ...imports]);
  return new Set([manifest.url, ...modules]);
}

function weigh(addresses) {
  return [...addresses].reduce(
    (sum, address) => sum + gzipSync(readFileSync(CLIENT + address), { level: 9 }).length,
    0,
  );
}
