import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { asService, runAs } from "../../database/run-as.ts";
import type { AnnouncedUpload, Upload } from "../../files/upload-store.ts";
import { type Upload as Placed, storeArrived } from "../../objects/store-object.ts";
import type { StorageService } from "../../storage-service.ts";

/** A complete upload. */
export function joined(announced: AnnouncedUpload): Upload {
  return { ...announced, id: randomUUID(), offset: announced.length };
}

/**
 * Makes one object of the parts: the upload itself, or those of a concatenation. They are removed once it is stored; if
 * it is refused they stay.
 */
export async function storeJoined(
  service: StorageService,
  placed: Placed,
  upload: Upload,
  parts: Upload[],
): Promise<void> {
  const { incoming, uploads } = service;
  const body = Readable.from(readAll(service, parts), { objectMode: false });
  const arrived = await incoming.copy(body, upload.length);
  await storeArrived(service, { ...placed, id: upload.id }, upload, arrived).catch(async (cause) => {
    // The connection to the database may have been lost after the commit, now or at the client's last attempt.
    if (!(await isObject(service, upload))) throw cause;
  });
  // The object exists even if this record fails.
  await uploads.noteStored(upload).catch(() => {});
  for (const { id } of parts) if (id !== upload.id) await uploads.remove(id);
}

async function isObject({ database }: StorageService, { id }: Upload): Promise<boolean> {
  const text = "select id from storage.objects where id = $1::uuid";
  return (await runAs(database, asService(), { text, values: [id] })).length > 0;
}

async function* readAll({ uploads }: StorageService, parts: Upload[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* uploads.read(part);
}
