import type { SessionClient } from "#app/features/session/session-client.ts";

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
export async function readPictures(client: SessionClient, limit: number): Promise<PicturePage> {
  const files = client.storage.from(BUCKET);
  const { data, error } = await files.listV2({ limit, sortBy: { column: "created_at", order: "desc" } });
  if (error) throw error;
  const names = await readNames(client, [...new Set(data.objects.map(({ name }) => personOf(name)))]);
  const pictures = data.objects.map(({ name, created_at }) => ({
    name,
    address: `/storage/v1/object/public/${BUCKET}/${name}`,
    addedAt: created_at,
    username: names.get(personOf(name)) ?? "somebody",
  }));
  return { pictures, hasMore: data.hasNext };
}

/** Pictures that wait, the oldest first, each by an address that is good for some minutes. @throws the service's error */
export async function readWaitingPictures(client: SessionClient, limit: number): Promise<PicturePage> {
  const files = client.storage.from(WAITING);
  const { data, error } = await files.listV2({ limit, sortBy: { column: "created_at", order: "asc" } });
  if (error) throw error;
  if (data.objects.length === 0) return { pictures: [], hasMore: false };
  const names = await readNames(client, [...new Set(data.objects.map(({ name }) => personOf(name)))]);
  const signed = await files.createSignedUrls(
    data.objects.map(({ name }) => name),
    600,
  );
  if (signed.error) throw signed.error;
  const pictures = data.objects.map(({ name, created_at }, index) => ({
    name,
    address: signed.data[index]?.signedUrl ?? "",
    addedAt: created_at,
    username: names.get(personOf(name)) ?? "somebody",
  }));
  return { pictures, hasMore: data.hasNext };
}

/** Shows it to everybody, in its person's profile. @throws the service's error */
export async function allowPicture(client: SessionClient, { name }: Picture): Promise<void> {
  const { error } = await client.storage.from(WAITING).move(name, name, { destinationBucket: BUCKET });
  if (error) throw error;
}

/** @throws the service's error */
export async function refusePicture(client: SessionClient, { name }: Picture): Promise<void> {
  const { error } = await client.storage.from(WAITING).remove([name]);
  if (error) throw error;
}

/** Takes the picture away from its profile and from everybody; what is gone already counts. @throws the service's error */
export async function removePicture(client: SessionClient, { name }: Picture): Promise<void> {
  const { error } = await client.storage.from(BUCKET).remove([name]);
  if (error) throw error;
}

function personOf(name: string): string {
  return name.split("/")[0] ?? "";
}

async function readNames(client: SessionClient, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { data } = await client.from("profiles").select("id, username").in("id", ids).throwOnError();
  return new Map(data.map(({ id, username }) => [id, username]));
}
