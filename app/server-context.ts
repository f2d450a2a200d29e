import { createContext, RouterContextProvider } from "react-router";
import type { Client } from "#app/features/site/client.ts";
import type { ListProviders } from "./features/session/sign-in-provider.ts";
import type { SiteConfig } from "./features/site/site-config.ts";

/** The site's configuration, as the server read it from the environment. */
export const siteContext = createContext<SiteConfig>();

/** The official client as an anonymous visitor; the only way a loader reaches data. */
export const supabaseContext = createContext<Client>();

/** The services to sign in through, as the auth service tells them. */
export const providersContext = createContext<ListProviders>();

/** When the page's data began to be read, in milliseconds since 1970 by the server's clock: the only time that a page may state as it is. */
export const readAtContext = createContext<number>();

/** Where the operator reads what happened. */
export type SiteLog = {
  note(line: string): void;
  /** What nobody expected; its words are left out. */
  fault(cause: unknown): void;
};

export const logContext = createContext<SiteLog>();

/** Reads one of the site's own pictures by its address, such as `/items/kitsune.svg`; null where there is none. */
export type ReadPicture = (address: string) => Buffer | null;

export const picturesContext = createContext<ReadPicture>();

/** What the server hands to every loader. */
export function createLoadContext(
  {
    site,
    supabase,
    listProviders,
    readAt,
  }: {
    site: SiteConfig;
    supabase: Client;
    listProviders: ListProviders;
    readAt: number;
  },
  log: SiteLog,
  readPicture: ReadPicture,
): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(siteContext, site);
  context.set(supabaseContext, supabase);
  context.set(providersContext, listProviders);
  context.set(readAtContext, readAt);
  context.set(logContext, log);
  context.set(picturesContext, readPicture);
  return context;
}
