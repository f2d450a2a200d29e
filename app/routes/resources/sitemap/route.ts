import { siteContext, supabaseContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";
import { readItemDates } from "./sitemap-queries.ts";
import { sitemapXml } from "./sitemap-xml.ts";

/** A failed read responds with 503: a sitemap without the items would tell search engines that they are gone. */
export async function loader({ context }: Route.LoaderArgs) {
  const items = await readItemDates(context.get(supabaseContext));
  if (!items) return new Response("Values can't be loaded right now\n", { status: 503 });
  return new Response(sitemapXml(context.get(siteContext).siteUrl, items), {
    headers: { "content-type": "application/xml; charset=utf-8" },
  });
}
