import type { SessionClient } from "#app/features/session/session-client.ts";

/**
 * Deletes a picture that waits. The service does not complain about one that is gone, which somebody else may have
 * made public. @throws the service's error
 */
export async function refusePicture(client: SessionClient, bucket: string, name: string): Promise<void> {
  const { data } = await client.storage.from(bucket).throwOnError().remove([name]);
  if (data?.length === 0) throw new Error("Somebody else decided about this picture, or you may not");
}
