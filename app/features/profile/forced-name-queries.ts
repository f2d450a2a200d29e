import type { SessionClient } from "#app/features/session/session-client.ts";

/** Why a user must choose another name: a moderator's reason, or a naming rule that is newer than the name. */
export type ForcedName = { reason: string; by_moderator: boolean };

/** Null if no other name is required. @throws the service's error */
export async function readForcedName(client: SessionClient): Promise<ForcedName | null> {
  const { data } = await client.rpc("show_forced_name").maybeSingle().throwOnError();
  return data;
}

/** Suggests available, harmless names. @throws the service's error */
export async function suggestUsernames(client: SessionClient): Promise<string[]> {
  const { data } = await client.rpc("suggest_usernames").throwOnError();
  return data;
}
