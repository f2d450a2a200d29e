import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import type { AnnouncedUpload, Upload } from "../../files/upload-store.ts";
import { type Upload as Placed, storeArrived } from "../../objects/store-object.ts";
import type { StorageService } from "../../storage-service.ts";

/** A complete upload. */
export function joined(announced: AnnouncedUpload): Upload {
  return { ...announced, id: randomUUID(), offset: announced.length };
}

/** Concatenates the parts into one object. They are removed once it is stored; if it is refused they stay. */
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
  // The object exists even if this record fails.
  await uploads.noteStored(upload).catch(() => {});
}

async function* readAll({ uploads }: StorageService, parts: Upload[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* uploads.read(part);
}
