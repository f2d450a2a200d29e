import { existsSync, readFileSync } from "node:fs";
import type { RequestHandler, ServerBuild } from "react-router";
import type { SiteLog } from "#app/server-context.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { logText, quoteScrubbed } from "#backend/log/log-text.ts";
import type { ServerConfig } from "../configuration/config.ts";
import { StartError } from "../configuration/start-error.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import type { SiteHandler } from "../pages/render-page.ts";

/** Loads the built site, or the one that Vite serves from the sources. */
export type LoadBuild = () => Promise<ServerBuild>;

const PUBLIC = new URL("../../public/", import.meta.url);
const BUILD = new URL("../../build/server/index.js", import.meta.url);

/** Loads the output of `npm run build`. */
export async function loadBuild(): Promise<ServerBuild> {
  try {
    return await import(BUILD.href);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new StartError("The site is not built: run `npm start`, which builds it first.");
  }
}

/** What `app/entry.server.tsx` exports to the server besides rendering. */
type SiteEntry = Pick<typeof import("#app/entry.server.tsx"), "createRequestHandler" | "createLoadContext">;

/** Renders the site's pages with the router's own handler, passing the configuration and the anonymous client. */
export function createSiteHandler(
  load: LoadBuild,
  config: ServerConfig,
  backend: BackendConnection,
  log: Log,
): SiteHandler {
  const mode = config.development ? "development" : "production";
  const site = {
    ...config.site,
    supabaseUrl: backend.publicUrl,
    supabaseAnonKey: backend.anonKey,
    ...(config.auth.oauthServer && { letsApplicationsIn: true as const }),
  };
  // A proxy may forward requests under a different host name than the browser's.
  const allowedActionOrigins = [new URL(site.siteUrl).host];
  const withOwnOrigin = (build: ServerBuild): ServerBuild => ({ ...build, allowedActionOrigins });
  let made: { build: ServerBuild; handle: RequestHandler } | undefined;
  const siteLog: SiteLog = {
    note: (line) => log(quoteScrubbed(line), "warn"),
    fault: (cause) => log(logText`A page failed: ${describeCause(cause)}`, "error"),
  };
  return async (request, readAt = Date.now()) => {
    if (isForeignForm(request, allowedActionOrigins)) return new Response("Bad Request", { status: 400 });
    const build = await load();
    const entry = build.entry.module as unknown as SiteEntry;
    if (made?.build !== build)
      made = { build, handle: entry.createRequestHandler(withOwnOrigin(build), mode) };
    return await made.handle(
      request,
      entry.createLoadContext(
        { site, supabase: backend.supabase, listProviders: backend.listProviders, readAt },
        siteLog,
        readOwnPicture,
      ),
    );
  };
}

/** Reads only the site's own drawings, whatever an item's picture address says. */
function readOwnPicture(address: string): Buffer | null {
  if (!/^(\/items)?\/[a-z0-9-]+\.svg$/.test(address)) return null;
  const file = new URL(`.${address}`, PUBLIC);
  return existsSync(file) ? readFileSync(file) : null;
}

const READING = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether it is a cross-site form post. The router refuses those too, but as an error of this site. */
function isForeignForm({ method, url, headers }: Request, allowedHosts: readonly string[]): boolean {
  const origin = headers.get("origin");
  if (READING.has(method) || origin === null) return false;
  if (!URL.canParse(origin)) return true;
  return origin !== new URL(url).origin && !allowedHosts.includes(new URL(origin).host);
}
