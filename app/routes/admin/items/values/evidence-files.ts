import { nameOfPicture, writePicture } from "#app/features/pictures/write-picture.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { LIMITS } from "#domain/text/limits.ts";

/** Where pictures of changes wait; a second person moves them. */
const WAITING = "change-uploads";
const { sidePixels, maxBytes } = LIMITS.changePicture;

/** A screenshot as it is stored, without what a camera or a program wrote into it; null for a file that is no picture. */
export async function prepareScreenshot(file: File): Promise<Blob | null> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return null;
  const scale = Math.min(1, sidePixels / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (!context) return null;
  // Behind a picture that one sees through, where the type knows no transparency.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, width, height);
  picture.close();
  return writePicture(canvas, maxBytes);
}

/**
 * Adds a picture to what is published, and takes it back where nothing was. @throws what the service refused, or the work
 */
export async function withPicture<Result>(
  client: SessionClient,
  picture: Blob | null,
  publish: (name: string | null) => Promise<Result>,
): Promise<Result> {
  if (!picture) return publish(null);
  const name = nameOfPicture(picture);
  const path = `${currentSession().session?.user.id}/${name}`;
  const files = client.storage.from(WAITING);
  const { error } = await files.upload(path, picture, {
    contentType: picture.type,
    cacheControl: "31536000",
  });
  if (error) throw error;
  try {
    return await publish(name);
  } catch (failure) {
    // An answer that was lost may have been a yes: what belongs to a proposal is left there, the rest goes by itself in a day.
    const { data } = await client.from("value_proposals").select("id").eq("picture", name).limit(1);
    if (data?.length === 0) await files.remove([path]);
    throw failure;
  }
}
