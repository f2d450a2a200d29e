import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { PUBLIC_PAGES } from "#app/features/site/public-pages.ts";
import type { BuildFacts } from "#app/offline-worker/worker-scope.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = `${ROOT}build/client`;

const KEPT_PATHS = PUBLIC_PAGES.filter(({ isKept }) => isKept).map(({ path }) => path);
/** Pages of items are kept besides, once they were visited. */
const ITEM_ROUTE = "routes/fruit-detail/route";

type Route = {
  id: string;
  parentId?: string;
  path?: string;
  hasLoader: boolean;
  module: string;
  imports: string[];
  css?: string[];
};
type RouterManifest = { url: string; entry: Route; routes: Record<string, Route> };

/** Builds the service worker that keeps pages on a device, for the site that was just built. */
async function buildWorker(): Promise<void> {
  const manifest = readManifest();
  const facts: BuildFacts = {
    build: manifest.url.replace("/assets/", ""),
    assets: listAssets(manifest),
    data: listData(manifest),
    routes: Object.values(manifest.routes).map(({ module }) => module),
  };
  await build({
    root: ROOT,
    configFile: false,
    publicDir: false,
    logLevel: "warn",
    define: { BUILD_FACTS: JSON.stringify(facts) },
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      rolldownOptions: {
        input: `${ROOT}app/offline-worker/worker.ts`,
        output: { format: "iife", entryFileNames: "worker.js" },
      },
    },
  });
}

/** The router's own list of what each route loads. */
function readManifest(): RouterManifest {
  const name = readdirSync(`${CLIENT}/assets`).find((file) => /^manifest-.*\.js$/.test(file));
  const script = readFileSync(`${CLIENT}/assets/${name}`, "utf8");
  return JSON.parse(script.slice(script.indexOf("=") + 1, script.lastIndexOf(";")));
}

/** The kept pages' files: those loaded at once, those that may be loaded later without a session, fonts and drawings. */
function listAssets({ url, entry, routes }: RouterManifest): string[] {
  const kept = [...KEPT_PATHS.map((path) => requirePage(routes, path)), requireRoute(routes, ITEM_ROUTE)];
  const shell = [entry, requireRoute(routes, "root")];
  const atOnce = new Set(
    [...shell, ...kept].flatMap(({ module, imports, css = [] }) => [module, ...imports, ...css]),
  );
  const later = new Set<string>();
  for (const { module } of [...kept, requireRoute(routes, "root")]) followImports(module, atOnce, later);
  const others = readdirSync(`${CLIENT}/assets`).filter((file) =>
    /^(figtree|texturina)-[^-]+\.woff2$|^drawings-.+\.svg$/.test(file),
  );
  return [...new Set([url, ...atOnce, ...later, ...others.map((file) => `/assets/${file}`)])];
}

/** The addresses of the kept pages' data, as the router fetches it on navigation. */
function listData({ routes }: RouterManifest): string[] {
  return KEPT_PATHS.flatMap((path) => {
    const { id, hasLoader } = requirePage(routes, path);
    const name = path === "/" ? "/_root" : path;
    return hasLoader ? [`${name}.data?_routes=${encodeURIComponent(id)}`] : [];
  });
}

/** The route of a page whose path has no parameters. */
function requirePage(routes: Record<string, Route>, path: string): Route {
  const route = Object.values(routes).find((each) => each.parentId && `/${each.path ?? ""}` === path);
  if (!route) throw new Error(`The built site has no route for ${path}`);
  return route;
}

function requireRoute(routes: Record<string, Route>, id: string): Route {
  const route = routes[id];
  if (!route) throw new Error(`The built site has no route ${id}`);
  return route;
}

/** Adds a module's dynamic imports with their dependencies, except those for sessions, which need a connection. */
function followImports(module: string, atOnce: ReadonlySet<string>, later: Set<string>): void {
  for (const next of importsOf(module)) {
    if (atOnce.has(next) || later.has(next)) continue;
    const closure = closeOver(next, atOnce);
    if ([...closure].some((file) => /\/(session-client|session-entries|live-session)-/.test(file))) continue;
    for (const file of closure) later.add(file);
  }
}

function closeOver(module: string, without: ReadonlySet<string>, found = new Set<string>()): Set<string> {
  if (found.has(module) || without.has(module)) return found;
  found.add(module);
  for (const next of importsOf(module)) closeOver(next, without, found);
  return found;
}

/** Our own files that a built file imports. */
function importsOf(module: string): string[] {
  if (!module.endsWith(".js")) return [];
  const code = readFileSync(CLIENT + module, "utf8");
  return [...code.matchAll(/["'`](?:\.\/|\/?assets\/)([\w-]+\.(?:js|css))["'`]/g)].map(
    ([, file]) => `/assets/${file}`,
  );
}

await buildWorker();
