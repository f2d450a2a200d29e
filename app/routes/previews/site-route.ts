import { picturesContext, siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/site-route.ts";
import { drawPreview } from "./draw-preview.ts";
import { pngResponse } from "./png-response.ts";
import { drawSite } from "./site-preview.ts";

/** `/share.png`: the preview of every page that has none of its own. */
export async function loader({ context }: Route.LoaderArgs) {
  const site = context.get(siteContext);
  const read = context.get(picturesContext);
  return pngResponse(await drawPreview(drawSite(site, read), site.siteName, read));
}
