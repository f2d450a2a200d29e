import { createClient, type Session, type SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import type { Page } from "playwright-core";
import { openPage, type PageOptions } from "./browser.ts";
import { testSite } from "./site.ts";
import type { TestSite } from "./site-setup.ts";
import { alive } from "./visit.ts";

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
export async function signUpPerson(site: TestSite = testSite()): Promise<SignedIn> {
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
export async function signUpAdmin(site: TestSite = testSite()): Promise<SignedIn> {
  const person = await signUpPerson(site);
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
  return createClient(address, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

/** Opens a path in a fresh profile in which this person's session is stored already, as on a return the next day. */
export async function visitAs(
  { session }: Pick<SignedIn, "session">,
  path: string,
  { address, ...options }: PageOptions & { address?: string } = {},
): Promise<Page> {
  const baseUrl = address ?? testSite().address;
  const page = await openPage({ baseUrl, ...options });
  await page.goto("/robots.txt");
  // The name under which the client keeps it: by the first part of the host's name.
  const key = `sb-${new URL(baseUrl).hostname.split(".")[0]}-auth-token`;
  await page.evaluate(([name, text]) => localStorage.setItem(name, text), [
    key,
    JSON.stringify(session),
  ] as const);
  await page.goto(path);
  await alive(page);
  return page;
}

/**
 * Changes when the session that the page's browser keeps is over, in seconds from now; the client looks at the next page,
 * and whenever the page is seen again.
 */
export function endSessionIn(page: Page, seconds: number): Promise<void> {
  return page.evaluate((left) => {
    const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    const expires_at = Math.floor(Date.now() / 1000) + left;
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at }));
  }, seconds);
}
