import type { SiteConfig } from "#app/features/site/site-config.ts";
import { siteContext } from "#app/server-context.ts";
import type { Route } from "./+types/route.ts";

export function loader({ context }: Route.LoaderArgs) {
  return Response.json(webManifest(context.get(siteContext)), {
    headers: { "content-type": "application/manifest+json; charset=utf-8" },
  });
}

/** What a phone needs to add the site to its home screen. */
function webManifest({ siteName, gameName }: SiteConfig) {
  return {
    name: `${siteName}: ${gameName} values`,
    short_name: siteName,
    start_url: "/",
    display: "standalone",
    background_color: "#07151d",
    theme_color: "#0b2a37",
    icons: [
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any maskable" },
    ],
  };
}
