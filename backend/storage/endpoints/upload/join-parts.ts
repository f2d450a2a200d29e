import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { AnnouncedUpload, Upload } from "../../files/upload-store.ts";
import { type Upload as Placed, storeArrived } from "../../objects/store-object.ts";
import type { StorageService } from "../../storage-service.ts";

/** An upload that has all that it will have. */
export function joined(announced: AnnouncedUpload): Upload {
  return { ...announced, id: randomUUID(), offset: announced.length };
}

/** Puts the parts together as one object. They are gone when that is there; where it is refused they stay. */
export async function storeJoined(
  service: StorageService,
  placed: Placed,
  upload: Upload,
  parts: Upload[],
): Promise<void> {
  const { incoming, uploads } = service;
  const arrived = await incoming.receive(
    Readable.from(readAll(service, parts), { objectMode: false }),
    upload.length,
  );
  await storeArrived(service, placed, upload, arrived);
  for (const { id } of parts) await uploads.remove(id);
  // Without the note the object is there all the same.
  await uploads.noteStored(upload).catch(() => {});
}

async function* readAll({ uploads }: StorageService, parts: Upload[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* uploads.read(part);
}
