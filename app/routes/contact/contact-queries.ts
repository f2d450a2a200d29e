import type { SupabaseClient } from "@supabase/supabase-js";
import type { ContactMessage } from "#domain/people/contact.ts";
import type { Database } from "#supabase/database.types.ts";

/** `limited`: too many messages came from the sender in a short time, the database takes none for a while. */
export type ContactDelivery = "stored" | "limited" | "failed";

/** The code that the database's limit raises with. */
const TOO_MANY = "PT429";

/** Names the sender's network to the server, and by it to the database, which counts by it. */
export const NETWORK_HEADER = "x-client-network";

/** Stores a message for the operator, as an anonymous visitor, who may write one and read none. */
export async function storeContactMessage(
  supabase: SupabaseClient<Database>,
  message: ContactMessage,
  network: string,
): Promise<ContactDelivery> {
  const { error } = await supabase
    .from("contact_messages")
    .insert(message)
    .setHeader(NETWORK_HEADER, network);
  if (!error) return "stored";
  return error.code === TOO_MANY ? "limited" : "failed";
}
