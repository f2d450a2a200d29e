import { siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

/** Everything may be crawled, as each page's robots tag says; the sitemap lists what is worth indexing. */
export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(siteContext);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
