import type { SupabaseClient } from "@supabase/supabase-js";
import type { ContactMessage } from "#domain/contact.ts";
import type { Database } from "#supabase/database.types.ts";

/** `limited`: too many messages came in a short time, the database takes none for a while. */
export type ContactDelivery = "stored" | "limited" | "failed";

/** The code that the database's limit raises with. */
const TOO_MANY = "PT429";

/** Stores a message for the operator, as an anonymous visitor, who may write one and read none. */
export async function storeContactMessage(
  supabase: SupabaseClient<Database>,
  message: ContactMessage,
): Promise<ContactDelivery> {
  const { error } = await supabase.from("contact_messages").insert(message);
  if (!error) return "stored";
  return error.code === TOO_MANY ? "limited" : "failed";
}
