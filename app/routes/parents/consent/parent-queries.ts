import type { SessionClient } from "#app/features/session/session-client.ts";

/** What a parent's link is about. */
export type Child = {
  username: string;
  state: "asked" | "allowed" | "refused" | "withdrawn";
  changed_at: string;
  expires_at: string;
};

const INVALID = "PT404";

/** Null where the link is wrong, or too old. @throws the service's error */
export async function readChild(client: SessionClient, key: string): Promise<Child | null> {
  const { data, error } = await client.rpc("show_to_parent", { key }).maybeSingle();
  if (error && error.code !== INVALID) throw error;
  return data as Child | null;
}

export async function decide(client: SessionClient, key: string, decision: "allow" | "refuse" | "withdraw") {
  return await client.rpc("decide_as_parent", { key, decision });
}

/** All that is kept of the child, to be written into a file. */
export async function exportChild(client: SessionClient, key: string) {
  return await client.rpc("export_as_parent", { key });
}

export async function deleteChild(client: SessionClient, key: string) {
  return await client.rpc("delete_as_parent", { key });
}

/** Mails a new link where the address is a parent's; the answer is the same where it is not. */
export async function renewLink(client: SessionClient, email: string) {
  return await client.rpc("renew_parent_link", { email });
}
