import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

// What is on nearly every page comes as one file rather than as a dozen: fewer requests, and up to 4 % fewer bytes.
// What a page asks for later, or what few pages show at all, stays apart: dialogs, toasts, charts, tabs, search.
const groups = [
  {
    name: "main",
    test: new RegExp(
      [
        "node_modules/(react|react-dom|react-router|scheduler|cookie|set-cookie-parser)/",
        "app/(root|features/site/)",
        "app/ui/(?!toast-viewport|dialog|line-icon|text-field|use-hydrated|disclosure|breadcrumbs|tab-strip|search-field)",
        "app/features/items/(figure-text|view-mode-toggle|change-text|item-image)",
        "domain/(field-visibility|limits|dates)",
      ]
        .join("|")
        .replaceAll("/", "[\\\\/]"),
    ),
  },
];

/**
 * What the router carries for features that this site does not switch on: it instruments nothing, and with
 * `routeDiscovery: "initial"` it discovers nothing. Each stands for the module's answer when its feature is off; the
 * undefined ones are imported by modules that browsers do not get either.
 */
const UNUSED_ROUTER_PARTS: Record<string, string> = {
  // The root has an error boundary of its own; what fails even there is only named.
  "react-router/dist/production/lib/dom/ssr/errorBoundaries.js": `
    import { Component, createElement } from "react";
    export function RemixRootDefaultErrorBoundary({ error }) {
      console.error(error);
      return createElement("html", { lang: "en" }, createElement("body", null, "Application Error"));
    }
    export const BoundaryShell = ({ children }) => children;
    export class RemixErrorBoundary extends Component {
      constructor(props) {
        super(props);
        this.state = { error: props.error || null, location: props.location };
      }
      static getDerivedStateFromError = (error) => ({ error });
      static getDerivedStateFromProps = ({ error, location }, state) =>
        ({ error: error || (state.location === location ? state.error : null), location });
      render() {
        const { error } = this.state;
        return error ? createElement(RemixRootDefaultErrorBoundary, { error }) : this.props.children;
      }
    }`,
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

/** The router's `Form`, which no page uses; a call at the module's top would keep it, and all that submits with it. */
const FORM_MODULE = "react-router/dist/production/lib/dom/lib.js";
const FORM = /const Form = React\$1\.forwardRef\([\s\S]*?Form\.displayName = "Form";/;

/** Leaves those parts out of what browsers get; the build stops when the router no longer has them. */
function leaveOutUnusedRouterParts(): Plugin {
  const missing = new Set([...Object.keys(UNUSED_ROUTER_PARTS), FORM_MODULE]);
  const plainPath = (id: string) => id.replaceAll("\\", "/");
  return {
    name: "leave-out-unused-router-parts",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    load(id) {
      const part = Object.keys(UNUSED_ROUTER_PARTS).find((path) => plainPath(id).endsWith(path));
      if (!part) return null;
      missing.delete(part);
      return UNUSED_ROUTER_PARTS[part];
    },
    transform(code, id) {
      if (!plainPath(id).endsWith(FORM_MODULE) || !FORM.test(code)) return null;
      missing.delete(FORM_MODULE);
      return code.replace(FORM, "const Form = undefined;");
    },
    buildEnd(error) {
      if (!error && missing.size > 0) this.error(`react-router no longer has ${[...missing].join(", ")}`);
    },
  };
}

/** Imports on demand as browsers do by themselves: no later part brings a stylesheet of its own that would have to come first. */
function importPlainly(): Plugin {
  return {
    name: "import-plainly",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    load: (id) =>
      id.endsWith("vite/preload-helper.js") ? "export const __vitePreload = (load) => load();" : null,
  };
}

export default defineConfig({
  plugins: [importPlainly(), leaveOutUnusedRouterParts(), tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        modulePreload: false,
        rolldownOptions: { output: { codeSplitting: { groups } } },
      },
    },
  },
});
