import type { IncomingMessage, RequestListener } from "node:http";
import { join } from "node:path";
import { toNode } from "#backend/http/to-node.ts";
import type { Log } from "#backend/log/log.ts";
import { type AssetFiles, loadAssets, withFormer } from "../assets/asset-files.ts";
import { openFormerFiles } from "../assets/former-files.ts";
import { isOverHttps, type ServerConfig } from "../configuration/config.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import { countItemViews } from "../database/count-item-views.ts";
import type { HttpServer } from "../http/http-server.ts";
import { createHealth } from "../observation/health.ts";
import { createNameRoute, type NameRoute } from "../observation/name-route.ts";
import { observeRequests } from "../observation/observe-requests.ts";
import type { ObservedFront, OperatorView } from "../observation/open-observation.ts";
import { createPageCache, type PageCacheOptions } from "../pages/page-cache.ts";
import { createPageResponder } from "../pages/page-responder.ts";
import { createRecompressor } from "../pages/recompress.ts";
import { renderPage, type SiteHandler } from "../pages/render-page.ts";
import { createRenderQueue } from "../pages/render-queue.ts";
import { createChangeStream } from "./change-stream.ts";
import { createListener } from "./listener.ts";
import { createPolicyReports } from "./policy-reports.ts";
import { commonHeaders, securityHeaders } from "./security-headers.ts";
import { createSiteHandler, loadBuild } from "./site-handler.ts";

/** The request listener of the whole site, and how to shut it down. */
export type Front = {
  listener: RequestListener;
  /** Whether this WebSocket belongs to the front itself: Vite's, for hot reload. */
  takesUpgrade?: (request: IncomingMessage) => boolean;
  /** Ends the pages' event streams, which would otherwise never finish. */
  hangUp(): void;
  close(): Promise<void>;
} & ObservedFront;

const WORKER = "/worker.js";
const CLIENT_FILES = join(import.meta.dirname, "../../build/client");

/** The built site: pages from the cache, files from memory, and the backend. */
export async function createFront(
  config: ServerConfig,
  backend: BackendConnection,
  log: Log,
  view: OperatorView,
): Promise<Front> {
  const common = securityHeaders(isOverHttps(config));
  const build = await loadBuild();
  const handle = createSiteHandler(async () => build, config, backend, log);
  const recompressor = createRecompressor();
  // Item views cannot be counted if the database is on another host.
  const views = backend.ownerUrl === null ? null : countItemViews(backend.ownerUrl, log);
  const files = loadFiles(config, backend.dataDir);
  const name = createNameRoute(build.routes, (path) => files.find(path) !== null);
  const { site, cache, ...front } = compose({
    backend,
    log,
    view,
    handle,
    common,
    name,
    files,
    cacheOptions: { onPopular: recompressor.add },
    addressHeader: config.mail.clientAddressHeader ?? null,
    onPage: (request) => views?.note(request),
  });
  cache.setLive(backend.live);
  const { traceRequests, observers } = view;
  return {
    ...front,
    listener: observeRequests(traceRequests(site, name), name, observers),
    async close() {
      recompressor.close();
      await views?.close();
    },
  };
}

/** Without the offline worker if the operator turned it off: browsers that have it uninstall it on the 404. */
function loadFiles(config: ServerConfig, dataDir: string | null): AssetFiles {
  const headers = commonHeaders(isOverHttps(config));
  const own = loadAssets(CLIENT_FILES, headers);
  const files = dataDir === null ? own : withFormer(own, openFormerFiles(dataDir), headers);
  if (config.site.keepsCopies) return files;
  return { find: (path) => (path === WORKER ? null : files.find(path)) };
}

/** The site from its sources: Vite transforms and reloads, and nothing is cached. */
export async function createDevelopmentFront(
  config: ServerConfig,
  backend: BackendConnection,
  server: HttpServer,
  log: Log,
  view: OperatorView,
): Promise<Front> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server: server.node } },
    appType: "custom",
  });
  const load = () => vite.ssrLoadModule("virtual:react-router/server-build") as never;
  const handle = createSiteHandler(load, config, backend, log);
  const {
    site,
    cache: _,
    ...front
  } = compose({
    backend,
    log,
    view,
    handle,
    common: {},
    name: createNameRoute({}),
    files: { find: () => null },
    cacheOptions: { maxBytes: 0 },
    addressHeader: null,
    onPage: () => {},
  });
  return {
    ...front,
    listener: (request, response) => vite.middlewares(request, response, () => site(request, response)),
    takesUpgrade: ({ headers }) => headers["sec-websocket-protocol"]?.startsWith("vite-") ?? false,
    close: () => vite.close(),
  };
}

type Parts = {
  backend: BackendConnection;
  log: Log;
  view: OperatorView;
  handle: SiteHandler;
  /** Headers of every response. */
  common: Record<string, string>;
  name: NameRoute;
  files: AssetFiles;
  cacheOptions: Pick<PageCacheOptions, "maxBytes" | "onPopular">;
  addressHeader: string | null;
  onPage: (request: IncomingMessage) => void;
};

/** What both fronts are made of. */
function compose({ backend, log, view, handle, common, name, files, cacheOptions, ...pageOptions }: Parts) {
  const admit = createRenderQueue({ isFar: !backend.handler });
  const render = (key: string) => renderPage(handle, key, common);
  const cache = createPageCache({ ...cacheOptions, render, admit });
  backend.onChange(cache.invalidate);
  // Registered after the cache, so that a page notified of a change gets the new version.
  const changes = createChangeStream(backend, common, pageOptions);
  const health = createHealth(backend);
  const seen = { pageCache: cache.use, openPages: changes.open };
  const site = createListener({
    pages: createPageResponder({ ...pageOptions, cache, handle, common, admit, log }),
    assets: files,
    backend: backend.handler && toNode(backend.handler, log),
    health,
    changes: changes.listener,
    reports: createPolicyReports(name, log, common),
    operator: view.openOperatorHandler(backend, seen, common),
  });
  return { site, cache, health, ...seen, hangUp: changes.hangUp };
}
