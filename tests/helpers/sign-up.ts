import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import { readAnonKey } from "./anon-key.ts";
import { runOn } from "./run-on.ts";
import type { TestSite } from "./site-setup.ts";

/** A signed-in account on a running site. */
export type SignedIn = {
  id: string;
  email: string;
  password: string;
  username: string;
  session: Session;
  /** The official client with this user's session. */
  client: SupabaseClient;
};

export type Role = "admin" | "editor" | "moderator";

/** Creates a new user with this role through the auth service. */
export async function signUp(site: TestSite, role?: Role): Promise<SignedIn> {
  const client = await anonymousClient(site);
  const email = `mara-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = "Abcdefghij1!";
  const { data, error } = await client.auth.signUp({ email, password });
  if (!data.session) throw error ?? new Error("the site gave no session at sign-up");
  const { id } = data.session.user;
  const profile = await client.from("profiles").select("username").eq("id", id).single().throwOnError();
  if (role) await giveRole(site, id, role);
  return { id, email, password, username: profile.data.username, session: data.session, client };
}

export async function giveRole({ databaseUrl }: TestSite, id: string, role: Role): Promise<void> {
  await runOn(databaseUrl, "insert into public.user_roles (user_id, role) values ($1, $2)", [id, role]);
}

export async function takeRoles({ databaseUrl }: TestSite, id: string): Promise<void> {
  await runOn(databaseUrl, "delete from public.user_roles where user_id = $1", [id]);
}

/** The official client with the key from the site's own pages and no stored session. */
export async function anonymousClient({ address }: Pick<TestSite, "address">): Promise<SupabaseClient> {
  return createClient(address, await readAnonKey(address), {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
  });
}
