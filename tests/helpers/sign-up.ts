import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import type { TestSite } from "./site-setup.ts";

/** An account on a running site, signed in. */
export type SignedIn = {
  id: string;
  email: string;
  password: string;
  username: string;
  session: Session;
  /** The official client, with this person's session and nobody else's. */
  client: SupabaseClient;
};

/** A fresh person, made by the service's own door. */
export async function signUp(site: TestSite): Promise<SignedIn> {
  const client = await anonymousClient(site);
  const email = `mara-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const password = "Abcdefghij1!";
  const { data, error } = await client.auth.signUp({ email, password });
  if (!data.session) throw error ?? new Error("the site gave no session at sign-up");
  const { id } = data.session.user;
  const profile = await client.from("profiles").select("username").eq("id", id).single().throwOnError();
  return { id, email, password, username: profile.data.username, session: data.session, client };
}

/** A fresh person with the admin role. */
export async function signUpWithAdminRole(site: TestSite): Promise<SignedIn> {
  const person = await signUp(site);
  const database = new Client({ connectionString: site.databaseUrl });
  await database.connect();
  try {
    await database.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [person.id]);
  } finally {
    await database.end();
  }
  return person;
}

/** The official client with the key that the site's own pages carry, and no memory. */
export async function anonymousClient({ address }: Pick<TestSite, "address">): Promise<SupabaseClient> {
  const html = await (await fetch(`${address}/auth`)).text();
  const key = /eyJ[\w-]+\.[\w-]+\.[\w-]+/.exec(html)?.[0] ?? "";
  return createClient(address, key, {
    auth: { persistSession: false, autoRefreshToken: false, storageKey: crypto.randomUUID() },
  });
}
