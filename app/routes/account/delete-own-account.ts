import type { SessionClient } from "#app/features/session/session-client.ts";
import { changeSession } from "#app/features/session/session-store.ts";

type Answer = { error: { message: string; code?: string | undefined } | null };

/** Pictures first, since a deleted account may remove nothing any more; then the account with all that hangs on it. */
export async function deleteOwnAccount(client: SessionClient): Promise<Answer> {
  const { data } = await client.auth.getSession();
  const files = await removeOwnPictures(client, data.session?.user.id ?? "");
  if (files.error) return files;
  const deleted = await client.rpc("delete_own_account");
  if (deleted.error) return deleted;
  changeSession({ isLeaving: true });
  // The service knows nobody by this token any more; the client takes that for signed out.
  return client.auth.signOut({ scope: "local" });
}

async function removeOwnPictures(client: SessionClient, userId: string): Promise<Answer> {
  const avatars = client.storage.from("avatars");
  const { data, error } = await avatars.list(userId);
  if (error || data.length === 0) return { error };
  return avatars.remove(data.map(({ name }) => `${userId}/${name}`));
}
