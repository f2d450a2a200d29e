import type { Client } from "#app/features/site/client.ts";

/** How long a signed address of a private picture is valid, in seconds. */
const GOOD_FOR = 600;

/** A signed address for each file, in order. @throws the service's error */
export async function signAddresses(client: Client, bucket: string, paths: string[]): Promise<string[]> {
  if (paths.length === 0) return [];
  const { data, error } = await client.storage.from(bucket).createSignedUrls(paths, GOOD_FOR);
  if (error) throw error;
  return data.map(({ signedUrl }) => signedUrl ?? "");
}
