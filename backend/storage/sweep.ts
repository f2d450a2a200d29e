import { asService, runAs } from "./database/run-as.ts";
import { forgetOldUploads } from "./objects/part-rows.ts";
import type { StorageService } from "./storage-service.ts";

/**
 * Crashes may leave this many. More, if they are also most of all files, suggest that the database is not the one of
 * these files.
 */
const SUSPICIOUS = 100;

/**
 * Removes files without a row, and abandoned uploads: leftovers of crashes, lost connections and deletions by SQL.
 * Files younger than the grace period are kept, since their row may be about to be written. If most of many files would
 * go, none is removed.
 */
export async function sweep(service: StorageService): Promise<Sweep> {
  const { config, store, incoming, uploads, renderer } = service;
  await incoming.clean(config.orphanGrace);
  await uploads.removeExpired();
  await store.remove(await forgetOldUploads(service, config.resumableLifetime));
  const orphans: string[] = [];
  let seen = 0;
  for await (const versions of store.olderThan(config.orphanGrace)) {
    seen += versions.length;
    if (versions.length > 0) orphans.push(...(await withoutRow(service, versions)));
  }
  const removed = orphans.length <= SUSPICIOUS || orphans.length <= seen / 2;
  if (removed) {
    await store.remove(orphans);
    await renderer.forget(orphans);
  }
  return { orphans: orphans.length, removed };
}

/** Number of files without an object, and whether they were removed. */
type Sweep = { orphans: number; removed: boolean };

async function withoutRow({ database }: StorageService, versions: string[]): Promise<string[]> {
  const text = `with asked as (select jsonb_array_elements_text($1::jsonb) as version)
    select version from storage.objects where version in (select version from asked)
    union all
    select version from storage.s3_multipart_uploads_parts where version in (select version from asked)`;
  const rows = await runAs(database, asService(), { text, values: [JSON.stringify(versions)] });
  const known = new Set(rows.map(({ version }) => version));
  return versions.filter((version) => !known.has(version));
}
