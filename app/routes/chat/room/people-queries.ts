import type { Client } from "#app/features/site/client.ts";

/** A muted person. */
export type Mute = {
  userId: string;
  /** Null if the person is hidden from others. */
  username: string | null;
  since: string;
};

export type Person = { id: string; username: string };

/** The people a user muted, latest first, by id. */
export type Mutes = ReadonlyMap<string, Mute>;

export async function readMutes(client: Client): Promise<Mutes> {
  const { data } = await client
    .from("chat_mutes")
    .select("muted_user_id, created_at, profile:profiles!chat_mutes_muted_user_id_fkey(username)")
    .order("created_at", { ascending: false })
    .retry(false)
    .throwOnError();
  const toMute = ({ muted_user_id, created_at, profile }: (typeof data)[number]): Mute => ({
    userId: muted_user_id,
    username: profile?.username ?? null,
    since: created_at,
  });
  return new Map(data.map((row) => [row.muted_user_id, toMute(row)]));
}

/** Mutes someone for this user; muting again changes nothing. */
export async function mutePerson(client: Client, userId: string, mutedUserId: string) {
  return await client
    .from("chat_mutes")
    .upsert({ user_id: userId, muted_user_id: mutedUserId }, { ignoreDuplicates: true });
}

export async function unmutePerson(client: Client, mutedUserId: string) {
  return await client.from("chat_mutes").delete().eq("muted_user_id", mutedUserId);
}

/** How a writer appears to others: picture or initials, with or without a trader page. */
export type Face = { avatar_url: string | null; listed: boolean };

/** Writers by id; those with neither a picture nor a page are left out. */
export async function readFaces(
  client: Client,
  people: readonly string[],
): Promise<ReadonlyMap<string, Face>> {
  const { data } = await client.rpc("list_chat_faces", { people: [...people] }).throwOnError();
  return new Map(data.map(({ id, avatar_url, listed }) => [id, { avatar_url, listed }]));
}

/** People with their names from the database, in alphabetical order; hidden ones are left out. */
export async function readPeople(client: Client, userIds: readonly string[]): Promise<Person[]> {
  const { data } = await client
    .from("profiles")
    .select("id, username")
    .in("id", userIds)
    .order("username")
    .throwOnError();
  return data;
}
