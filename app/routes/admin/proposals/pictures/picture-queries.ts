import { signAddresses } from "#app/features/pictures/sign-addresses.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";

/** The bucket of pictures that wait. */
export const WAITING = "change-uploads";
const SHOWN = "change-pictures";

/**
 * Pictures that wait for a second person, oldest first, each with an address that is valid for some minutes. @throws
 * the service's error
 */
export async function readWaitingPictures(client: SessionClient) {
  const { data } = await client.rpc("list_waiting_pictures").throwOnError();
  const addresses = await signAddresses(
    client,
    WAITING,
    data.map(({ path }) => path),
  );
  return data.map((picture, index) => ({
    ...picture,
    old_value: picture.old_value as string | null,
    new_value: picture.new_value as string | null,
    address: addresses[index] ?? "",
  }));
}

export type WaitingPicture = Awaited<ReturnType<typeof readWaitingPictures>>[number];

/** Publishes it beside the changes that it is evidence of. @throws the service's error */
export async function allowPicture(client: SessionClient, { path }: WaitingPicture): Promise<void> {
  const name = path.slice(path.indexOf("/") + 1);
  await client.storage.from(WAITING).throwOnError().move(path, name, { destinationBucket: SHOWN });
}
