import { siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/site-route.ts";
import { answerPreview } from "./draw-preview.ts";
import { drawSite } from "./site-preview.ts";

/** `/share.png`: the preview of every page that has none of its own. */
export async function loader({ context }: Route.LoaderArgs) {
  return answerPreview(context, (read) => drawSite(context.get(siteContext), read));
}
