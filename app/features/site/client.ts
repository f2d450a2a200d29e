import type { SupabaseClient } from "@supabase/supabase-js";
import type { Database } from "#supabase/database.types.ts";

/** The official client of this site's database, for any caller. */
export type Client = SupabaseClient<Database>;
