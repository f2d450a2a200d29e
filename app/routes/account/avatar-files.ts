import type { SessionClient } from "#app/features/session/session-client.ts";
import { LIMITS } from "#domain/text/limits.ts";

const BUCKET = "avatars";
const { sidePixels, maxBytes } = LIMITS.avatar;
/** Best first; a browser that cannot write one gives something else. */
const TYPES = { "image/webp": "webp", "image/jpeg": "jpg" } as const;
const QUALITY = 0.86;

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
  for (const type of Object.keys(TYPES)) {
    const blob = await canvas.convertToBlob({ type, quality: QUALITY });
    if (blob.type === type && blob.size <= maxBytes) return blob;
  }
  return null;
}

/**
 * Keeps a prepared picture and shows it in the profile; gives its path. The one before is removed by the database.
 * @throws what the service refused, with nothing left behind
 */
export async function saveAvatar(client: SessionClient, userId: string, picture: Blob): Promise<string> {
  const files = client.storage.from(BUCKET);
  const name = `${userId}/${crypto.randomUUID()}.${TYPES[picture.type as keyof typeof TYPES]}`;
  const uploaded = await files.upload(name, picture, { contentType: picture.type, cacheControl: "31536000" });
  if (uploaded.error) throw uploaded.error;
  const url = `/storage/v1/object/public/${BUCKET}/${name}`;
  const { error } = await client
    .from("profiles")
    .update({ avatar_url: url })
    .eq("id", userId)
    .select("id")
    .single();
  if (!error) return url;
  await files.remove([name]);
  throw error;
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
