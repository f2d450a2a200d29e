import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import { nameOfPicture, preparePicture } from "#app/features/pictures/write-picture.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { LIMITS } from "#domain/text/limits.ts";

/** The bucket of avatars that wait for a moderator, who moves them. */
const WAITING = "avatar-uploads";
const { sidePixels, maxBytes } = LIMITS.avatar;

/** Crops a picture to a small square from its middle. */
export const prepareAvatar = (file: File): Promise<Blob | null> =>
  preparePicture(file, maxBytes, ({ width, height }) => {
    const side = Math.min(width, height);
    return {
      part: [(width - side) / 2, (height - side) / 2, side, side],
      width: sidePixels,
      height: sidePixels,
    };
  });

/**
 * Uploads a picture, which the profile shows once a moderator approved it, in place of those that still wait.
 * @throws the service's error
 */
export async function saveAvatar(client: SessionClient, userId: string, picture: Blob) {
  const earlier = await listWaiting(client, userId).catch(() => []);
  const name = `${userId}/${nameOfPicture(picture)}`;
  const options = { contentType: picture.type, cacheControl: "31536000" };
  const saved = await client.storage.from(WAITING).upload(name, picture, options);
  // If this fails, moderators see both, and the next upload removes them.
  if (!saved.error && earlier.length > 0) await takeBack(client, earlier);
  return saved;
}

/** The user's own waiting pictures, oldest first, with addresses valid for minutes. @throws the service's error */
export async function readWaiting(client: SessionClient, userId: string) {
  const names = await listWaiting(client, userId);
  const addresses = await signAddresses(client, WAITING, names);
  return names.map((name, index) => ({ name, address: addresses[index] }));
}

async function listWaiting(client: SessionClient, userId: string): Promise<string[]> {
  const { data, error } = await client.storage
    .from(WAITING)
    .list(userId, { sortBy: { column: "created_at", order: "asc" } });
  if (error) throw error;
  return data.map(({ name }) => `${userId}/${name}`);
}

export async function takeBack(client: SessionClient, names: string[]) {
  return await client.storage.from(WAITING).remove(names);
}

export type Drawing = { name: string; image_url: string };

/** The catalogue's own drawings. @throws the service's error */
export async function listDrawings(client: SessionClient): Promise<Drawing[]> {
  const { data } = await client
    .from("items")
    .select("name, image_url")
    .like("image_url", "/items/%.svg")
    .order("name")
    .throwOnError();
  return data.map(({ name, image_url }) => ({ name, image_url: image_url ?? "" }));
}

/** Sets a drawing as avatar, or none; the database removes an uploaded picture. */
export async function saveAvatarUrl(client: SessionClient, userId: string, avatar_url: string | null) {
  return await client.from("profiles").update({ avatar_url }).eq("id", userId).select("id").single();
}
