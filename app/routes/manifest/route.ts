import { webManifest } from "#app/features/site/web-manifest.ts";
import { siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

export function loader({ context }: Route.LoaderArgs) {
  return Response.json(webManifest(context.get(siteContext)), {
    headers: { "content-type": "application/manifest+json; charset=utf-8" },
  });
}
