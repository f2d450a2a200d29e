import type { SessionClient } from "#app/features/session/session-client.ts";

const BUCKET = "item-images";

/**
 * Uploads a picture under a random name with the time and its own extension (7.write.15), and returns its public
 * address.
 * @throws if the bucket refuses it or cannot be reached
 */
export async function uploadItemImage(client: SessionClient, file: File): Promise<string> {
  const name = `${crypto.randomUUID()}-${Date.now()}.${extensionOf(file)}`;
  const files = client.storage.from(BUCKET);
  const { error } = await files.upload(name, file, { contentType: file.type });
  if (error) throw error;
  return files.getPublicUrl(name).data.publicUrl;
}

/**
 * Deletes an upload whose item was not saved (P18). If the response was lost, the item may have been saved, so an image
 * that an item shows is kept. An image that cannot be deleted now does no harm.
 */
export async function discardItemImage(client: SessionClient, address: string): Promise<void> {
  const { data, error } = await client.from("items").select("id").eq("image_url", address).limit(1);
  if (error || data.length > 0) return;
  await client.storage.from(BUCKET).remove([address.slice(address.lastIndexOf("/") + 1)]);
}

function extensionOf({ name, type }: File): string {
  const extension = /\.([a-z0-9]{1,5})$/i.exec(name)?.[1];
  return (extension ?? type.slice("image/".length)).toLowerCase();
}
