import type { SupabaseClient } from "@supabase/supabase-js";
import { createContext, RouterContextProvider } from "react-router";
import type { Database } from "#supabase/database.types.ts";
import type { SiteConfig } from "./features/site/site-config.ts";

/** The site's configuration, as the server read it from the environment. */
export const siteContext = createContext<SiteConfig>();

/** The official client as an anonymous visitor; the only way a loader reaches data. */
export const supabaseContext = createContext<SupabaseClient<Database>>();

/** What the server hands to every loader. */
export function createLoadContext(
  site: SiteConfig,
  supabase: SupabaseClient<Database>,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(siteContext, site);
  context.set(supabaseContext, supabase);
  return context;
}
