import type { Client } from "#app/features/site/client.ts";

/** For so long, in seconds, an address of a picture that not everybody may see is good. */
const GOOD_FOR = 600;

/** An address for each of these files, in their order. @throws the service's error */
export async function signAddresses(client: Client, bucket: string, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { data, error } = await client.storage.from(bucket).createSignedUrls(paths, GOOD_FOR);
  if (error) throw error;
  return data.map(({ signedUrl }) => signedUrl ?? "");
}
