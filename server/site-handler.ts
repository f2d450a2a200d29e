import { createRequestHandler, type ServerBuild } from "react-router";
import type { createLoadContext } from "#app/server-context.ts";
import type { BackendConnection } from "./backend-connection.ts";
import type { ServerConfig } from "./config.ts";
import type { SiteHandler } from "./pages/render-page.ts";
import { StartError } from "./start-error.ts";

/** The built site, or the one that Vite serves from the sources. */
export type LoadBuild = () => Promise<ServerBuild>;

const BUILD = new URL("../build/server/index.js", import.meta.url);

/** Loads what `npm run build` made. */
export async function loadBuild(): Promise<ServerBuild> {
  try {
    return await import(BUILD.href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new StartError("The site is not built: run `npm start`, which builds it first.");
  }
}

/** Renders the site's pages by the router's own handler, each with the configuration and the anonymous client. */
export function createSiteHandler(
  build: ServerBuild | LoadBuild,
  config: ServerConfig,
  backend: BackendConnection,
): SiteHandler {
  const handle = createRequestHandler(build, config.development ? "development" : "production");
  const site = { ...config.site, supabaseUrl: backend.publicUrl, supabaseAnonKey: backend.anonKey };
  return async (request) => {
    const { entry } = typeof build === "function" ? await build() : build;
    // The contexts are told apart by identity, so they must be made by the build's own copy of that file.
    const { createLoadContext: create } = entry.module as unknown as {
      createLoadContext: typeof createLoadContext;
    };
    return await handle(request, create(site, backend.supabase));
  };
}
