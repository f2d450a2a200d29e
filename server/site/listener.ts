import type { RequestListener } from "node:http";
import { splitAddress } from "#backend/http/split-address.ts";
import type { AssetFiles } from "../assets/asset-files.ts";
import { HEALTH_PATHS, LIVE_PATH, OPERATOR_REPORT_PATH, POLICY_REPORTS_PATH } from "../http/own-paths.ts";
import { sendPrepared } from "../http/prepared-content.ts";
import type { PageResponder } from "../pages/page-responder.ts";

/** The request handlers, in the order in which they are tried. */
type Handlers = {
  pages: PageResponder;
  assets: AssetFiles;
  /** Null if the backend is on another host. */
  backend: RequestListener | null;
  health: RequestListener;
  changes: RequestListener;
  reports: RequestListener;
  /** The operation report, for admins. */
  operator: RequestListener;
};

/** Paths of the services that a Supabase client uses. */
const BACKEND_PATH =
  /^\/((rest|auth|storage|realtime|functions|graphql)|\.well-known\/oauth-authorization-server\/auth)\/v1(\/|\?|$)/;

/** Entry point of all requests. Cached pages come first, since most requests are for them. */
export function createListener({ pages, assets, backend, changes, ...handlers }: Handlers): RequestListener {
  const byPath = new Map([
    [POLICY_REPORTS_PATH, handlers.reports],
    [OPERATOR_REPORT_PATH, handlers.operator],
    ...HEALTH_PATHS.map((path) => [path, handlers.health] as const),
  ]);
  return (request, response) => {
    const url = request.url ?? "";
    const reads = request.method === "GET" || request.method === "HEAD";
    if (reads && pages.answerKept(request, response)) return;
    if (!url.startsWith("/")) return void response.writeHead(400, { "content-length": "0" }).end();
    if (backend && BACKEND_PATH.test(url)) return backend(request, response);
    const own = byPath.get(url);
    if (own) return own(request, response);
    if (reads && (url === LIVE_PATH || url.startsWith(`${LIVE_PATH}?`))) return changes(request, response);
    const asset = reads ? assets.find(splitAddress(url).path) : null;
    if (asset) return sendPrepared(request, response, asset);
    void pages.answer(request, response);
  };
}
