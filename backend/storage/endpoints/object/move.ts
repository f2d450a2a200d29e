import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import { withCurrentFile } from "../../delivery/with-current-file.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { requireFit } from "../../objects/fits-bucket.ts";
import { findObject } from "../../objects/object-row.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { requireKey, requireName } from "../../requests/names.ts";
import { readJson } from "../../requests/read-json.ts";
import { noSuchKey } from "../../storage-error.ts";
import type { StorageService } from "../../storage-service.ts";

const Body = v.object({
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationBucket: v.nullish(v.string()),
  destinationKey: v.string(),
  sourceVersionId: v.nullish(v.string()),
});

// `version` makes sure that the validated content is what moves.
const MOVE = `update storage.objects set bucket_id = $4, name = $5
  where bucket_id = $1 and name = $2 and version = $3 returning id`;

/** POST /object/move: renames an object, within its bucket or to another. The file stays in place. */
export async function move(call: Call, service: StorageService): Promise<Reply> {
  const actor = await call.actor();
  const { bucketId, sourceKey, destinationBucket, destinationKey, sourceVersionId } = await readJson(
    call,
    Body,
  );
  const name = requireKey(destinationKey);
  const bucket = await findLimits(service, actor, destinationBucket ?? bucketId);
  const find = () => findObject(service, actor, bucketId, requireName(sourceKey), sourceVersionId);
  const moved = await withCurrentFile(find, async (source) => {
    await requireFit(service, { actor, bucket, name }, source);
    const values = [source.bucket_id, source.name, source.version, bucket.id, name];
    const [row] = await runAs(service.database, actor, { text: MOVE, values });
    if (!row) throw noSuchKey();
    return row;
  });
  const Key = `${bucket.id}/${name}`;
  return { status: 200, body: { message: "Successfully moved", Id: moved.id, Key } };
}
