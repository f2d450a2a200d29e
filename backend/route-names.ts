import { routes as authRoutes } from "#backend/auth/endpoints/routes.ts";
import { createRouter, mapRoutes, type Routes } from "#backend/http/router.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import { routes as storageRoutes } from "#backend/storage/endpoints/routes.ts";

/**
 * Names a request's route for logs and metrics: one of a bounded set, without anything the caller put into the path.
 */
export type RouteNames = (method: string, path: string, status: number) => LogText;

/** Maximum number of tables and functions with a name of their own; the rest share a wildcard. */
const MOST_NAMES = 500;

/** Such as `/auth/v1/factors/{id}/verify` or `/rest/v1/items`; unknown paths become `/auth/v1/*`. */
export function createRouteNames(): RouteNames {
  const findAuth = createRouter(ownNames(authRoutes, "/auth/v1"));
  const findStorage = createRouter(ownNames(storageRoutes, "/storage/v1"));
  const known = new Map<string, LogText>();

  /** Only paths that have succeeded once get their own name, so they are names of existing tables and functions. */
  function nameRest(method: string, path: string, status: number): LogText {
    const name = known.get(path);
    if (name) return name;
    const isThere = status < 300 && method !== "OPTIONS" && /^\/rest\/v1\/(rpc\/)?\w+$/.test(path);
    if (isThere && known.size < MOST_NAMES) known.set(path, path as LogText);
    return (
      known.get(path) ?? (path.startsWith("/rest/v1/rpc/") ? logText`/rest/v1/rpc/*` : logText`/rest/v1/*`)
    );
  }

  return (method, path, status) => {
    const asked = method === "HEAD" ? "GET" : method;
    if (path.startsWith("/rest/v1")) return nameRest(method, path, status);
    if (path.startsWith("/auth/v1/")) return findAuth(asked, path.slice(8))?.endpoint ?? logText`/auth/v1/*`;
    if (path.startsWith("/storage/v1/s3")) return logText`/storage/v1/s3/*`;
    if (path.startsWith("/storage/v1/"))
      return findStorage(asked, path.slice(11))?.endpoint ?? logText`/storage/v1/*`;
    if (path.startsWith("/functions/v1/")) return logText`/functions/v1/*`;
    if (path === "/realtime/v1/websocket") return logText`/realtime/v1/websocket`;
    if (path.startsWith("/realtime/v1/")) return logText`/realtime/v1/api/*`;
    return logText`/*`;
  };
}

/** Maps each route to its own path instead of its endpoint. */
function ownNames(routes: Routes<unknown>, base: string): Routes<LogText> {
  return mapRoutes(routes, (_, route) => `${base}${route.slice(route.indexOf(" ") + 1)}` as LogText);
}
