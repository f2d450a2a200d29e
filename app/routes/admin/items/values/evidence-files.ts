import { nameOfPicture, preparePicture } from "#app/features/pictures/write-picture.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { currentSession } from "#app/features/session/session-store.ts";
import { LIMITS } from "#domain/text/limits.ts";

/** Where pictures of changes wait until a second person approves them. */
const WAITING = "change-uploads";
const { sidePixels, maxBytes } = LIMITS.changePicture;

/** A screenshot for storage: in full, scaled down if it is too large. */
export const prepareScreenshot = (file: File): Promise<Blob | null> =>
  preparePicture(file, maxBytes, ({ width, height }) => {
    const scale = Math.min(1, sidePixels / Math.max(width, height));
    const drawn = (length: number) => Math.max(1, Math.round(length * scale));
    return { part: [0, 0, width, height], width: drawn(width), height: drawn(height) };
  });

/** Uploads a picture, and deletes it if nothing was published. @throws the service's error, or the work's */
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
    // If the response was lost, the work may have succeeded: a proposal's picture is kept, others are deleted within a
    // day.
    const { data } = await client.from("value_proposals").select("id").eq("picture", name).limit(1);
    if (data?.length === 0) await files.remove([path]);
    throw failure;
  }
}

/** Whether a link can be a change's evidence. The database knows the form of an address, but cannot read it. */
export function isEvidence(link: string): boolean {
  return /^https:\/\/[^\s<>"]+$/.test(link) && URL.canParse(link);
}
