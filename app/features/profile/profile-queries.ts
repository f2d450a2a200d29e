import type { Client } from "#app/features/site/client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import type { Tables } from "#supabase/database.types.ts";

export type OwnProfile = Pick<Tables<"profiles">, "username" | "listed" | "avatar_url">;

/** The user's own profile; null if there is none. @throws the service's error */
export async function readOwnProfile(client: Client, userId: string): Promise<OwnProfile | null> {
  const { data } = await client
    .from("profiles")
    .select("username, listed, avatar_url")
    .eq("id", userId)
    .maybeSingle()
    .throwOnError();
  return data;
}

const UNIQUE_VIOLATION = "23505";
const CHECK_VIOLATION = "23514";

/** Saves a username; the database checks it. @throws FormError for the field `username` */
export async function saveUsername(client: Client, userId: string, username: string) {
  const answer = await client
    .from("profiles")
    .update({ username })
    .eq("id", userId)
    .select("username")
    .single();
  const { code, message = "" } = answer.error ?? {};
  if (code !== UNIQUE_VIOLATION && code !== CHECK_VIOLATION) return answer;
  const why = code === UNIQUE_VIOLATION ? "This username is taken already" : message;
  throw new FormError(why, { fields: ["username"] });
}
