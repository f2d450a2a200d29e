import { createClient } from "@supabase/supabase-js";
import type { Database } from "#supabase/database.types.ts";
import { tellingFailures } from "../pages/note-failed-reads.ts";
import { ANONYMOUS, type BackendConnection } from "./backend-connection.ts";
import { createProviderList } from "./sign-in-providers.ts";
import { createTimeoutFetch } from "./timeout-fetch.ts";

/** Connects to a Supabase project; nothing of the bundled backend is started. */
export function connectHosted({ url, anonKey }: { url: string; anonKey: string }): BackendConnection {
  return {
    supabase: createClient<Database>(url, anonKey, {
      ...ANONYMOUS,
      global: { fetch: tellingFailures(createTimeoutFetch(fetch)) },
    }),
    listProviders: createProviderList(tellingFailures(fetch), { url, anonKey }),
    publicUrl: url,
    anonKey,
    handler: null,
    sockets: null,
    live: false,
    servedAt: () => {},
    onChange: () => {},
    primaryAnswers: () => true,
    diskFailed: () => false,
    figures: () => "",
    openSockets: () => 0,
    poolUse: () => null,
    ownerUrl: null,
    dataDir: null,
    close: async () => {},
  };
}
