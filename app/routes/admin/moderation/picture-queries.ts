import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { readNames } from "#app/routes/admin/shared/read-names.ts";

const BUCKET = "avatars";
/** Where pictures wait, which only their owners and moderators see. */
const WAITING = "avatar-uploads";

/** A picture that somebody uploaded of themselves, also one that no profile shows: its address is open all the same. */
export type Picture = {
  /** In the bucket: the person's id, then the file. */
  name: string;
  address: string;
  addedAt: string;
  username: string;
};

export type PicturePage = { pictures: Picture[]; hasMore: boolean };

/** The newest pictures of people. @throws the service's error */
export function readPictures(client: SessionClient, limit: number): Promise<PicturePage> {
  return readPage(client, BUCKET, { limit, sortBy: { column: "created_at", order: "desc" } }, (names) =>
    names.map((name) => `/storage/v1/object/public/${BUCKET}/${name}`),
  );
}

/** Pictures that wait, the oldest first, each by an address that is good for some minutes. @throws the service's error */
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

/** Shows it to everybody, in its person's profile. @throws the service's error */
export async function allowPicture(client: SessionClient, { name }: Picture): Promise<void> {
  await client.storage.from(WAITING).throwOnError().move(name, name, { destinationBucket: BUCKET });
}

/** @throws the service's error */
export async function refusePicture(client: SessionClient, { name }: Picture): Promise<void> {
  await client.storage.from(WAITING).throwOnError().remove([name]);
}

/** Takes the picture away from its profile and from everybody; what is gone already counts. @throws the service's error */
export async function removePicture(client: SessionClient, { name }: Picture): Promise<void> {
  await client.storage.from(BUCKET).throwOnError().remove([name]);
}

function personOf(name: string): string {
  return name.split("/")[0] ?? "";
}
