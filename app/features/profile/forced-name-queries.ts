import type { SessionClient } from "#app/features/session/session-client.ts";

/** Why somebody has to choose another name: a moderator's words, or the rule that a name from before it breaks. */
export type ForcedName = { reason: string; by_moderator: boolean };

/** Null where nobody asks for another name. @throws the service's error */
export async function readForcedName(client: SessionClient): Promise<ForcedName | null> {
  const { data } = await client.rpc("show_forced_name").maybeSingle().throwOnError();
  return data;
}

/** Harmless names that nobody has. @throws the service's error */
export async function suggestUsernames(client: SessionClient): Promise<string[]> {
  const { data } = await client.rpc("suggest_usernames").throwOnError();
  return data;
}
