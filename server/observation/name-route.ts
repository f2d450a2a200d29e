import type { ServerBuild } from "react-router";
import { splitAddress } from "#backend/http/split-address.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { createRouteNames } from "#backend/route-names.ts";
import { HEALTH_PATHS, LIVE_PATH, OPERATOR_REPORT_PATH, POLICY_REPORTS_PATH } from "../http/own-paths.ts";

/** The part of the site that answered. */
export type Service =
  | "pages"
  | "files"
  | "live"
  | "health"
  | "rest"
  | "auth"
  | "storage"
  | "realtime"
  | "functions";

/** A bounded set of names, whatever addresses are requested. */
type NamedRoute = { service: Service; route: LogText };

export type NameRoute = (method: string, url: string, status: number) => NamedRoute;

const SERVICE = /^\/(rest|auth|storage|realtime|functions)\/v1(?:\/|$)/;
const OTHER: NamedRoute = { service: "pages", route: logText`/*` };
const FILE: NamedRoute = { service: "files", route: logText`/assets/*` };
const PUBLIC_FILE: NamedRoute = { service: "files", route: logText`(file)` };
const OWN: ReadonlyMap<string, NamedRoute> = new Map([
  ...[POLICY_REPORTS_PATH, OPERATOR_REPORT_PATH].map((path) => [path, toNamed(path)] as const),
  ...HEALTH_PATHS.map((path) => [path, toNamed(path, "health")] as const),
  [LIVE_PATH, toNamed(LIVE_PATH, "live")],
]);

/**
 * Names the route of a request, without the personal parts of its address: pages by their patterns, such as
 * `/fruits/:slug`.
 * @param isFile whether a path is a file of the build
 */
export function createNameRoute(
  routes: ServerBuild["routes"],
  isFile: (path: string) => boolean = () => false,
): NameRoute {
  const patterns = pagePatterns(routes);
  const pages = new Map(patterns.filter(isPlain).map((path) => [path, toNamed(path)]));
  /** Keyed by the path before the final name. */
  const named = new Map(
    patterns
      .filter((pattern) => !isPlain(pattern))
      .map((pattern) => [pattern.slice(0, pattern.indexOf(":")), toNamed(pattern)]),
  );
  const nameService = createRouteNames();

  function namePage(path: string): NamedRoute | undefined {
    const page = path.endsWith(".data") ? path.slice(0, -".data".length).replace("/_root", "/") : path;
    return pages.get(page) ?? named.get(page.slice(0, page.lastIndexOf("/") + 1));
  }

  return (method, url, status) => {
    const { path } = splitAddress(url);
    const page = pages.get(path);
    if (page) return page;
    if (path.startsWith("/assets/")) return FILE;
    const [, service] = SERVICE.exec(path) ?? [];
    if (service) return { service: service as Service, route: nameService(method, path, status) };
    const own = OWN.get(path);
    if (own) return own;
    if (isFile(path)) return PUBLIC_FILE;
    return namePage(path) ?? OTHER;
  };
}

function toNamed(pattern: string, service: Service = "pages"): NamedRoute {
  return { service, route: fromOperator(pattern) };
}

/** The full pattern of each route except the catch-all for unknown pages. */
function pagePatterns(routes: ServerBuild["routes"]): string[] {
  return Object.values(routes).flatMap((route) => {
    if (!route || (!route.path && !route.index) || route.path === "*") return [];
    const parts: string[] = [];
    for (let at: typeof route | undefined = route; at; at = at.parentId ? routes[at.parentId] : undefined)
      if (at.path) parts.unshift(at.path);
    return [`/${parts.join("/")}`];
  });
}

function isPlain(pattern: string): boolean {
  return !pattern.includes(":");
}
