import { type SignedIn, signUpAdmin } from "../signed-in.ts";
import type { TestSite } from "../site-setup.ts";

/**
 * Uploads a user's own picture to a site with uploads enabled and has a moderator approve it, so the profile shows it.
 * Returns its public URL.
 */
export async function setApprovedAvatar(
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
