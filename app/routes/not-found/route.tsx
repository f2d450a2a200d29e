import { data } from "react-router";
import { NotFoundPage } from "#app/features/not-found/not-found-page.tsx";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import type { Route } from "./+types/route.ts";

/**
 * Runs once for each unknown address, opened or followed, so the log has one line for each (2.routes.06). The path
 * comes percent-encoded: it cannot forge further lines.
 */
export function loader({ request }: Route.LoaderArgs) {
  console.warn(`404: there is no page at ${new URL(request.url).pathname.slice(0, 300)}`);
  return data(null, { status: 404 });
}

export function meta({ matches, location }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: location.pathname,
    title: "Page not found",
    description: `There is no page at this address of ${site.siteName}. The home page leads to all ${site.gameName} values and the trade calculator.`,
    keywords: ["page not found", site.siteName, `${site.gameName} values`],
  });
}

export default NotFoundPage;
