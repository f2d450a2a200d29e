import type { SiteConfig } from "#app/features/site/site-config.ts";
import type { SessionClient } from "./session-client.ts";
import { changeSession } from "./session-store.ts";

export type BackendAddress = Pick<SiteConfig, "supabaseUrl" | "supabaseAnonKey">;

let opened: Promise<SessionClient> | undefined;

/** The official client, one per page, loaded on first use. @throws if that fails; the next call retries */
export function openSession(backend: BackendAddress): Promise<SessionClient> {
  opened ??= load(backend);
  return opened;
}

async function load({ supabaseUrl, supabaseAnonKey }: BackendAddress): Promise<SessionClient> {
  try {
    changeSession({ isOpened: true });
    const { createSessionClient } = await import("./session-client.ts");
    // An empty setting means the page's own host.
    return createSessionClient(supabaseUrl || window.location.origin, supabaseAnonKey);
  } catch (error) {
    opened = undefined;
    changeSession({ status: "failed" });
    throw error;
  }
}
