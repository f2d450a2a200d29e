import type { IncomingMessage, RequestListener } from "node:http";
import { toNode } from "#backend/http/to-node.ts";
import type { Log } from "#backend/log/log.ts";
import { type AssetFiles, loadAssets, withFormer } from "../assets/asset-files.ts";
import { openFormerFiles } from "../assets/former-files.ts";
import { isOverHttps, type ServerConfig } from "../configuration/config.ts";
import type { BackendConnection } from "../connection/backend-connection.ts";
import { countItemViews } from "../database/count-item-views.ts";
import type { HttpServer } from "../http/http-server.ts";
import { createHealth } from "../observation/health.ts";
import { createNameRoute } from "../observation/name-route.ts";
import { observeRequests } from "../observation/observe-requests.ts";
import type { ObservedFront, OperatorView } from "../observation/open-observation.ts";
import { createPageCache } from "../pages/page-cache.ts";
import { createPageResponder } from "../pages/page-responder.ts";
import { createRecompressor } from "../pages/recompress.ts";
import { renderPage } from "../pages/render-page.ts";
import { createRenderQueue } from "../pages/render-queue.ts";
import { type ChangeStream, createChangeStream } from "./change-stream.ts";
import { createListener, type Handlers } from "./listener.ts";
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
const CLIENT_FILES = new URL("../../build/client", import.meta.url).pathname;

/** The built site: pages from the cache, files from memory, and the backend. */
export async function createFront(
  config: ServerConfig,
  backend: BackendConnection,
  log: Log,
  { observers, traceRequests, openOperatorHandler }: OperatorView,
): Promise<Front> {
  const common = securityHeaders(isOverHttps(config));
  const build = await loadBuild();
  const handle = createSiteHandler(async () => build, config, backend, log);
  const recompressor = createRecompressor();
  const admit = createRenderQueue({ isFar: !backend.handler });
  const cache = createPageCache({
    render: (key) => renderPage(handle, key, common),
    admit,
    onPopular: recompressor.add,
  });
  cache.setLive(backend.live);
  backend.onChange(cache.invalidate);
  const addressHeader = config.mail.clientAddressHeader ?? null;
  // Registered after the cache, so that a page notified of a change gets the new version.
  const changes = createChangeStream(backend, common);
  // Item views cannot be counted if the database is on another host.
  const views = backend.ownerUrl === null ? null : countItemViews(backend.ownerUrl, log);
  const onPage = (request: IncomingMessage) => views?.note(request);
  const pages = createPageResponder({ cache, handle, common, admit, addressHeader, onPage, log });
  const files = loadFiles(config, backend.dataDir);
  const health = createHealth(backend);
  const name = createNameRoute(build.routes, (path) => files.find(path) !== null);
  const reports = createPolicyReports(name, log, common);
  const seen = { pageCache: cache.use, openPages: changes.open };
  const operator = openOperatorHandler(backend, seen, common);
  const site = createSiteListener({ pages, assets: files, backend, changes, health, reports, operator });
  return {
    listener: observeRequests(traceRequests(site, name), name, observers),
    health,
    ...seen,
    hangUp: changes.hangUp,
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

function createSiteListener({
  backend,
  changes,
  ...handlers
}: Pick<Handlers, "pages" | "assets" | "health" | "reports" | "operator"> & {
  backend: BackendConnection;
  changes: ChangeStream;
}): RequestListener {
  return createListener({
    ...handlers,
    backend: backend.handler ? toNode(backend.handler) : null,
    changes: changes.listener,
  });
}

/** The site from its sources: Vite transforms and reloads, and nothing is cached. */
export async function createDevelopmentFront(
  config: ServerConfig,
  backend: BackendConnection,
  server: HttpServer,
  log: Log,
  { openOperatorHandler }: OperatorView,
): Promise<Front> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server: server.node } },
    appType: "custom",
  });
  const load = () => vite.ssrLoadModule("virtual:react-router/server-build") as never;
  const handle = createSiteHandler(load, config, backend, log);
  const cache = createPageCache({ render: (key) => renderPage(handle, key, {}), maxBytes: 0 });
  const changes = createChangeStream(backend, {});
  const pages = createPageResponder({
    cache,
    handle,
    common: {},
    admit: createRenderQueue({ isFar: !backend.handler }),
    addressHeader: null,
    onPage: () => {},
    log,
  });
  const health = createHealth(backend);
  const reports = createPolicyReports(createNameRoute({}), log, {});
  const seen = { pageCache: cache.use, openPages: changes.open };
  const operator = openOperatorHandler(backend, seen, {});
  const site = createSiteListener({
    pages,
    assets: { find: () => null },
    backend,
    changes,
    health,
    reports,
    operator,
  });
  return {
    listener: (request, response) => vite.middlewares(request, response, () => site(request, response)),
    health,
    ...seen,
    takesUpgrade: ({ headers }) => headers["sec-websocket-protocol"]?.startsWith("vite-") ?? false,
    hangUp: changes.hangUp,
    close: () => vite.close(),
  };
}
