import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

// What is on every page comes as two files rather than as a dozen: fewer requests, and up to 4 % fewer bytes.
const groups = [
  {
    name: "framework",
    test: /node_modules[\\/](react|react-dom|react-router|scheduler|cookie|set-cookie-parser)[\\/]/,
  },
  { name: "shared", test: /app[\\/](ui|features[\\/]site)[\\/]/, minShareCount: 2 },
];

/**
 * What the router carries for features that this site does not switch on: it instruments nothing, and with
 * `routeDiscovery: "initial"` it discovers nothing. Each stands for the module's answer when its feature is off; the
 * undefined ones are imported by modules that browsers do not get either.
 */
const UNUSED_ROUTER_PARTS: Record<string, string> = {
  "react-router/dist/production/lib/router/instrumentation.js": `
    export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
    export const getRouteInstrumentationUpdates = () => ({});
    export const instrumentClientSideRouter = (router) => router;
    export const instrumentHandler = undefined, instrumentationResultMetaContext = undefined;`,
  "react-router/dist/production/lib/dom/ssr/fog-of-war.js": `
    export const isFogOfWarEnabled = () => false;
    export const getPartialManifest = (manifest) => manifest;
    export const getPatchRoutesOnNavigationFunction = () => undefined;
    export const useFogOFWarDiscovery = () => {};
    export const getManifestPath = undefined, getPathsWithAncestors = undefined, handleClientVersionMismatch = undefined;`,
};

/** Leaves those parts out of what browsers get; the build stops when the router no longer has them. */
function leaveOutUnusedRouterParts(): Plugin {
  const missing = new Set(Object.keys(UNUSED_ROUTER_PARTS));
  return {
    name: "leave-out-unused-router-parts",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    load(id) {
      const part = Object.keys(UNUSED_ROUTER_PARTS).find((path) => id.replaceAll("\\", "/").endsWith(path));
      if (!part) return null;
      missing.delete(part);
      return UNUSED_ROUTER_PARTS[part];
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`react-router no longer has ${[...missing].join(", ")}`);
    },
  };
}

export default defineConfig({
  plugins: [leaveOutUnusedRouterParts(), tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        // What a dynamic import needs is on the page already, bar its own file; the code to look for more is not worth it.
        modulePreload: false,
        rolldownOptions: { output: { codeSplitting: { groups } } },
      },
    },
  },
});
