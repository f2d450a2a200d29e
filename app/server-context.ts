import { createContext, RouterContextProvider } from "react-router";
import type { Client } from "#app/features/site/client.ts";
import type { ListProviders } from "./features/sign-in/sign-in-provider.ts";
import type { SiteConfig } from "./features/site/site-config.ts";

/** The site's configuration, as the server read it from the environment. */
export const siteContext = createContext<SiteConfig>();

/** The official client as an anonymous visitor; loaders read data only through it. */
export const supabaseContext = createContext<Client>();

/** The sign-in providers, as the auth service reports them. */
export const providersContext = createContext<ListProviders>();

/** When reading the page's data began, by the server's clock: the only time that a page may show as its own. */
export const readAtContext = createContext<number>();

export type SiteLog = {
  note(line: string): void;
  /** Logs an unexpected error, without its message. */
  fault(cause: unknown): void;
};

export const logContext = createContext<SiteLog>();

/** Reads one of the site's own pictures by address, such as `/items/kitsune.svg`; null if it does not exist. */
export type ReadPicture = (address: string) => Buffer | null;

export const picturesContext = createContext<ReadPicture>();

/** What the server passes to every loader. */
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
