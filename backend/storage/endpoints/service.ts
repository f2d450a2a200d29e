import { readFileSync } from "node:fs";
import { asService, runAs } from "../database/run-as.ts";
import type { Call, Reply } from "../requests/call.ts";
import { accessDenied, notEnabled } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";

const MANIFEST = new URL("../../../package.json", import.meta.url);

/** GET /version */
export async function version(): Promise<Reply> {
  const { version: text } = JSON.parse(readFileSync(MANIFEST, "utf8")) as { version: string };
  return { status: 200, bytes: Buffer.from(text), headers: { "content-type": "text/plain; charset=utf-8" } };
}

/** GET /health: whether the database answers. */
export async function health({ request }: Call, { database }: StorageService): Promise<Reply> {
  const text = "select id from storage.buckets limit 1";
  const asked = runAs(database, asService({ request }), { text, values: [] });
  const healthy = await asked.then(
    () => true,
    () => false,
  );
  return { status: 200, body: { healthy } };
}

/** Analytics and vector buckets are not supported: clients get a clear error instead of "not found". */
export async function analytics(call: Call): Promise<Reply> {
  await call.actor();
  throw notEnabled("Analytics buckets");
}

export async function vectors(call: Call): Promise<Reply> {
  await call.actor();
  throw notEnabled("Vector buckets");
}

/** DELETE /cdn, /cdn/{bucket}, /cdn/{bucket}/{path*}: for servers; there is no CDN to purge. */
export async function purge(call: Call): Promise<Reply> {
  const { identity } = await call.actor();
  if (identity.role !== "service_role") {
    throw accessDenied("Access denied: only the service role may purge", { hasOwnStatus: true });
  }
  throw notEnabled("CDN caches to purge");
}
