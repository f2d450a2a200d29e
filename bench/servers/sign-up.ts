import { readKey } from "./start-site.ts";

export type Person = {
  id: string;
  /** Request headers with the user's token. */
  headers: Record<string, string>;
};

/** Signs up a user who may read the chat. */
export async function signUp(site: string): Promise<Person> {
  const apikey = await readKey(site);
  const answer = await fetch(`${site}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey, "content-type": "application/json" },
    body: JSON.stringify({ email: "trader@example.com", password: "Harbor-lantern-42!" }),
  });
  if (!answer.ok) throw new Error(`No account could be made: ${await answer.text()}`);
  const { access_token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  return { id: user.id, headers: { apikey, authorization: `Bearer ${access_token}` } };
}
