import { useRouteLoaderData } from "react-router";
import type { SiteConfig } from "./site-config.ts";

/** What the root's loader returns to every page. */
export type RootData = { site: SiteConfig; year: number };

/** The root's data; null only if the root's loader failed. */
export function useRootData(): RootData | null {
  return (useRouteLoaderData("root") as RootData | undefined) ?? null;
}

/** The site's configuration, for any component below the root. */
export function useSiteConfig(): SiteConfig {
  const data = useRootData();
  if (!data) throw new Error("The root loader's data is missing: a page needs the site's configuration");
  return data.site;
}
