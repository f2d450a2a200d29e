import { siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

/** Everything may be read, as each page's own robots tag says; the sitemap names what is worth reading. */
export function loader({ context }: Route.LoaderArgs) {
  const { siteUrl } = context.get(siteContext);
  return new Response(`User-agent: *\nAllow: /\n\nSitemap: ${siteUrl}/sitemap.xml\n`, {
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
