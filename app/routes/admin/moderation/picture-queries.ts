import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { readNames } from "#app/routes/admin/shared/read-names.ts";

const BUCKET = "avatars";
/** The bucket of pictures that wait for approval, visible only to their owners and moderators. */
export const WAITING = "avatar-uploads";

/** A user's uploaded avatar, even one that no profile shows, since its address is public. */
export type Picture = {
  /** Its name in the bucket: the user's id, then the file. */
  name: string;
  address: string;
  addedAt: string;
  username: string;
};

export type PicturePage = { pictures: Picture[]; hasMore: boolean };

/** The latest avatars. @throws the service's error */
export function readPictures(client: SessionClient, limit: number): Promise<PicturePage> {
  return readPage(client, BUCKET, { limit, sortBy: { column: "created_at", order: "desc" } }, (names) =>
    names.map((name) => `/storage/v1/object/public/${BUCKET}/${name}`),
  );
}

/** Avatars that wait, oldest first, with addresses valid for minutes. @throws the service's error */
export function readWaitingPictures(client: SessionClient, limit: number): Promise<PicturePage> {
  return readPage(client, WAITING, { limit, sortBy: { column: "created_at", order: "asc" } }, (names) =>
    signAddresses(client, WAITING, names),
  );
}

async function readPage(
  client: SessionClient,
  bucket: string,
  options: { limit: number; sortBy: { column: "created_at"; order: "asc" | "desc" } },
  addressesOf: (names: string[]) => string[] | Promise<string[]>,
): Promise<PicturePage> {
  const { data, error } = await client.storage.from(bucket).listV2(options);
  if (error) throw error;
  const addresses = await addressesOf(data.objects.map(({ name }) => name));
  const usernames = await readNames(
    client,
    data.objects.map(({ name }) => personOf(name)),
  );
  const pictures = data.objects.map(({ name, created_at }, index) => ({
    name,
    address: addresses[index] ?? "",
    addedAt: created_at,
    username: usernames.get(personOf(name)) ?? "somebody",
  }));
  return { pictures, hasMore: data.hasNext };
}

/** Publishes it in its owner's profile. @throws the service's error */
export async function allowPicture(client: SessionClient, { name }: Picture): Promise<void> {
  await client.storage.from(WAITING).throwOnError().move(name, name, { destinationBucket: BUCKET });
}

function personOf(name: string): string {
  return name.split("/")[0] ?? "";
}
