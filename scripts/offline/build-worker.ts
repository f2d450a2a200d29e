import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import type { BuildFacts } from "#app/offline-worker/worker-scope.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = `${ROOT}build/client`;

/** Ids of the routes whose files are kept for offline use. */
const KEPT_ROUTES = [
  "home",
  "values",
  "fruit-detail",
  "calculator",
  "about",
  "contact",
  "privacy",
  "terms",
].map((name) => `routes/${name}/route`);
/** Routes whose data the router fetches on navigation, and its URL. */
const DATA = {
  "routes/home/route": "/_root.data",
  "routes/values/route": "/values.data",
  "routes/calculator/route": "/calculator.data",
};

type Route = { module: string; imports: string[]; css?: string[] };
type RouterManifest = { url: string; entry: Route; routes: Record<string, Route> };

/** Builds the service worker that keeps pages on a device, for the site that was just built. */
async function buildWorker(): Promise<void> {
  const manifest = readManifest();
  const facts: BuildFacts = {
    build: manifest.url.replace("/assets/", ""),
    assets: listAssets(manifest),
    data: Object.entries(DATA).map(([route, path]) => `${path}?_routes=${encodeURIComponent(route)}`),
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

/** The kept pages' files: those loaded at once, those that may be loaded later without a session, and the fonts. */
function listAssets({ url, entry, routes }: RouterManifest): string[] {
  const kept = KEPT_ROUTES.map((id) => requireRoute(routes, id));
  const shell = [entry, requireRoute(routes, "root")];
  const atOnce = new Set(
    [...shell, ...kept].flatMap(({ module, imports, css = [] }) => [module, ...imports, ...css]),
  );
  const later = new Set<string>();
  for (const { module } of [...kept, requireRoute(routes, "root")]) followImports(module, atOnce, later);
  const fonts = readdirSync(`${CLIENT}/assets`).filter((file) =>
    /^(figtree|texturina)-[^-]+\.woff2$/.test(file),
  );
  return [...new Set([url, ...atOnce, ...later, ...fonts.map((file) => `/assets/${file}`)])];
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
