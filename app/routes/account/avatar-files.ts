import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import { nameOfPicture, preparePicture } from "#app/features/pictures/write-picture.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { LIMITS } from "#domain/text/limits.ts";

/** Where pictures wait; a moderator moves them. */
const WAITING = "avatar-uploads";
const { sidePixels, maxBytes } = LIMITS.avatar;

/** The middle of a picture as a small square. */
export const prepareAvatar = (file: File): Promise<Blob | null> =>
  preparePicture(file, maxBytes, ({ width, height }) => {
    const side = Math.min(width, height);
    return {
      part: [(width - side) / 2, (height - side) / 2, side, side],
      width: sidePixels,
      height: sidePixels,
    };
  });

/** Keeps a prepared picture until a moderator has allowed it; then the profile shows it. @throws what the service refused */
export async function saveAvatar(client: SessionClient, userId: string, picture: Blob) {
  const name = `${userId}/${nameOfPicture(picture)}`;
  const options = { contentType: picture.type, cacheControl: "31536000" };
  return await client.storage.from(WAITING).upload(name, picture, options);
}

/** The own pictures that wait, the oldest first, each by an address that is good for some minutes. @throws the service's error */
export async function readWaiting(client: SessionClient, userId: string) {
  const { data, error } = await client.storage
    .from(WAITING)
    .list(userId, { sortBy: { column: "created_at", order: "asc" } });
  if (error) throw error;
  const names = data.map(({ name }) => `${userId}/${name}`);
  const addresses = await signAddresses(client, WAITING, names);
  return names.map((name, index) => ({ name, address: addresses[index] }));
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

/** Shows a drawing in the profile; the database removes an uploaded picture that was there. */
export async function saveDrawing(client: SessionClient, userId: string, url: string) {
  return await client.from("profiles").update({ avatar_url: url }).eq("id", userId).select("id").single();
}

/** Shows initials again; the database removes the picture. */
export async function removeAvatar(client: SessionClient, userId: string): Promise<void> {
  await client
    .from("profiles")
    .update({ avatar_url: null })
    .eq("id", userId)
    .select("id")
    .single()
    .throwOnError();
}
