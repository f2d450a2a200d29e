import { type SignedIn, signUpAdmin } from "../signed-in.ts";
import type { TestSite } from "../site-setup.ts";

/**
 * Uploads a picture of a person's own to a site that takes them, and lets a moderator allow it: the profile shows it. Gives
 * its public address.
 */
export async function wearPicture(
  site: TestSite,
  { client, id }: SignedIn,
  content: Buffer,
  type: "png" | "webp" = "png",
): Promise<string> {
  const name = `${id}/${crypto.randomUUID()}.${type}`;
  const kept = await client.storage
    .from("avatar-uploads")
    .upload(name, content, { contentType: `image/${type}` });
  if (kept.error) throw kept.error;
  const admin = await signUpAdmin(site);
  const moved = await admin.client.storage
    .from("avatar-uploads")
    .move(name, name, { destinationBucket: "avatars" });
  if (moved.error) throw moved.error;
  return client.storage.from("avatars").getPublicUrl(name).data.publicUrl;
}
