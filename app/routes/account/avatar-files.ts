import { nameOfPicture, writePicture } from "#app/features/pictures/write-picture.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { LIMITS } from "#domain/text/limits.ts";

/** Where pictures wait; a moderator moves them. */
const WAITING = "avatar-uploads";
const { sidePixels, maxBytes } = LIMITS.avatar;
/**
 * The middle of a picture as a small square, without what a camera wrote into it; null for a file that is no picture.
 */
export async function prepareAvatar(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const side = Math.min(picture.width, picture.height);
  const canvas = new OffscreenCanvas(sidePixels, sidePixels);
  const context = canvas.getContext("2d");
  if (!context) return null;
  // Behind a picture that one sees through, where the type knows no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, sidePixels, sidePixels);
  context.imageSmoothingQuality = "high";
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2];
  context.drawImage(picture, left, top, side, side, 0, 0, sidePixels, sidePixels);
  picture.close();
  return writePicture(canvas, maxBytes);
}

/** Keeps a prepared picture until a moderator has allowed it; then the profile shows it. @throws what the service refused */
export async function saveAvatar(client: SessionClient, userId: string, picture: Blob) {
  const name = `${userId}/${nameOfPicture(picture)}`;
  const options = { contentType: picture.type, cacheControl: "31536000" };
  return await client.storage.from(WAITING).upload(name, picture, options);
}

/** The own pictures that wait, the oldest first, each by an address that is good for some minutes. @throws the service's error */
export async function readWaiting(client: SessionClient, userId: string) {
  const files = client.storage.from(WAITING);
  const { data, error } = await files.list(userId, { sortBy: { column: "created_at", order: "asc" } });
  if (error) throw error;
  const names = data.map(({ name }) => `${userId}/${name}`);
  if (names.length === 0) return [];
  const signed = await files.createSignedUrls(names, 600);
  if (signed.error) throw signed.error;
  return signed.data.map(({ path, signedUrl }) => ({ name: path ?? "", address: signedUrl }));
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
