import type { SessionClient } from "#app/features/session/session-client.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { type SilenceInput, silenceEnd } from "#domain/chat/silence.ts";

/** The silences that hold now with who made them, the first to end first. @throws the service's error */
export async function readSilences(client: SessionClient) {
  const { data } = await client
    .from("chat_silences")
    .select("user_id, until, reason, created_at, person:profiles!chat_silences_user_id_fkey(username)")
    .gt("until", new Date().toISOString())
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

/** Whether a silence has no end. */
export function isForever({ until }: Pick<Silence, "until">): boolean {
  return until === "infinity";
}

/** The constraint that this device's clock breaks when it is late by more than the silence. */
const OVER_ALREADY = "chat_silences_end_after_they_begin";

/** The constraint that keeps an admin from it. */
const OWN = "chat_silences_nobody_silences_themselves";

/** Silences a person from now on, in place of any silence there was. */
export async function silencePerson(
  client: SessionClient,
  userId: string,
  { length, reason }: SilenceInput,
): Promise<void> {
  const { data, error } = await client
    .from("chat_silences")
    .upsert({ user_id: userId, until: silenceEnd(length, Date.now()), reason }, { onConflict: "user_id" })
    .select("user_id")
    .maybeSingle();
  if (error?.message.includes(OVER_ALREADY)) {
    throw new Error(
      "The clock of this device is late: by the site's clock this silence would be over already.",
    );
  }
  if (error?.message.includes(OWN)) throw new Error("You can't silence yourself.");
  requireRow({ data, error }, "person");
}

export async function liftSilence(client: SessionClient, userId: string): Promise<void> {
  const lifting = client.from("chat_silences").delete().eq("user_id", userId);
  requireRow(await lifting.select("user_id").maybeSingle(), "silence");
}

/** A person by name, in any case; null when nobody has it. @throws the service's error */
export async function findPerson(client: SessionClient, username: string) {
  // An underscore stands for any letter in a pattern.
  const pattern = username.replaceAll("_", "\\_");
  const { data } = await client
    .from("profiles")
    .select("id, username")
    .ilike("username", pattern)
    .maybeSingle()
    .throwOnError();
  return data;
}
