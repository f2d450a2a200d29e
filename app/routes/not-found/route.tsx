import { data } from "react-router";
import { pageMeta, siteOf } from "#app/features/site/page-meta.ts";
import { logContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";
import { NotFoundPage } from "./not-found-page.tsx";

/** Runs once per unknown address, opened or followed, so that the log has one line for each (2.routes.06). */
export function loader({ request, context }: Route.LoaderArgs) {
  context.get(logContext).note(`404: there is no page at ${withoutNames(new URL(request.url).pathname)}`);
  return data(null, { status: 404 });
}

export function meta({ matches, location }: Route.MetaArgs) {
  const site = siteOf(matches);
  return pageMeta({
    site,
    path: location.pathname,
    title: "Page not found",
    description: `There is no page at this address on ${site.siteName}. The home page leads to all ${site.gameName} values and the trade calculator.`,
    keywords: ["page not found", site.siteName, `${site.gameName} values`],
  });
}

export default NotFoundPage;

/** Removes names and secrets from a path, so that none reaches the log, whatever was typed. */
function withoutNames(path: string): string {
  return path.replace(/[^/]*(?:@|%40)[^/]*|[\w.-]{32,}/g, "…").slice(0, 100);
}
