import { asService, runAs } from "./database/run-as.ts";
import { forgetOldUploads } from "./objects/part-rows.ts";
import type { StorageService } from "./storage-service.ts";

/** So many may be left by crashes; more than that, and most of all files, is another database than the files'. */
const SUSPICIOUS = 100;

/**
 * Removes files that no row names, and uploads that nobody went on with: what a crash, a lost connection or a deletion
 * by SQL left behind. Whatever is younger than the grace time is left alone, since its row may be on its way.
 * Where that would be most of many files it removes none of them.
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

/** How many files belonged to no object, and whether they are gone. */
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
