import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/session/site-clock.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";

/** The silences that hold now with who made them, the first to end first. @throws the service's error */
export async function readSilences(client: SessionClient) {
  const { data } = await client
    .from("chat_silences")
    .select("user_id, until, reason, created_at, person:profiles!chat_silences_user_id_fkey(username)")
    .gt("until", new Date(siteNow()).toISOString())
    .order("until")
    .order("user_id")
    .throwOnError();
  const { data: makers } = await client
    .rpc("list_silence_makers", { people: data.map(({ user_id }) => user_id) })
    .throwOnError();
  const nameOf = new Map(makers.map(({ user_id, username }) => [user_id, username]));
  return data.map((silence) => ({ ...silence, admin: nameOf.get(silence.user_id) ?? null }));
}

export type Silence = Awaited<ReturnType<typeof readSilences>>[number];

export async function liftSilence(client: SessionClient, userId: string): Promise<void> {
  const lifting = client.from("chat_silences").delete().eq("user_id", userId);
  requireRow(await lifting.select("user_id").maybeSingle(), "silence");
}
