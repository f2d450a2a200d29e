import * as v from "valibot";
import { runAs } from "../../database/run-as.ts";
import { findLimits } from "../../objects/bucket-row.ts";
import { removeObjects } from "../../objects/remove-objects.ts";
import { preconditionFailed } from "../../storage-error.ts";
import { isOnlyVersion, nameOf, noSuchVersion, type S3Command } from "../s3-call.ts";
import { malformedXml, readXml, xmlReply } from "../xml.ts";
import { findMatching } from "./objects.ts";

/** DELETE /{bucket}/{key}; a missing or invisible object counts as deleted, unless it was to match. */
export const deleteObject: S3Command = async (call, service) => {
  const { bucket, key, actor } = call;
  await findLimits(service, actor, bucket);
  const versionId = await findMatching(call, service);
  const removed = await removeObjects(service, actor, bucket, [{ path: key, versionId }]);
  if (versionId !== undefined && removed.length === 0) throw preconditionFailed();
  return { status: 204 };
};

const MOST = 1000;
/** Other members are conditions, without which something else would be removed. */
const Named = v.strictObject({ Key: v.string(), VersionId: v.optional(v.string()) });
const Delete = v.object({
  Quiet: v.optional(v.string()),
  Object: v.pipe(v.array(Named), v.minLength(1), v.maxLength(MOST)),
});

/** POST /{bucket}?delete: removes many objects, with a result for each; invisible ones count as deleted here, too. */
export const deleteObjects: S3Command = async (call, service) => {
  const { bucket, actor } = call;
  const parsed = v.safeParse(Delete, await readXml(call, "Delete"));
  if (!parsed.success) throw malformedXml();
  await findLimits(service, actor, bucket);
  const asked = parsed.output.Object;
  const others = asked.filter(({ VersionId }) => !isOnlyVersion(VersionId));
  const keys = asked.filter(({ VersionId }) => isOnlyVersion(VersionId)).map(({ Key }) => Key);
  const names = keys.map(nameOf);
  const removed = await removeObjects(
    service,
    actor,
    bucket,
    names.map((path) => ({ path })),
  );
  const gone = new Set(removed.map(({ name }) => name));
  const left = names.filter((name) => !gone.has(name));
  const text = `select name from storage.objects
    where bucket_id = $1 and name in (select jsonb_array_elements_text($2::jsonb))`;
  const values = [bucket, JSON.stringify(left)];
  const rows = left.length > 0 ? await runAs(service.database, actor, { text, values }) : [];
  const kept = new Set(rows.map(({ name }) => name));
  const unknown = noSuchVersion();
  const isKept = (key: string) => kept.has(nameOf(key));
  return xmlReply("DeleteResult", {
    Deleted: parsed.output.Quiet === "true" ? [] : keys.filter((key) => !isKept(key)).map((Key) => ({ Key })),
    Error: [
      ...keys.filter(isKept).map((Key) => ({ Key, Code: "AccessDenied", Message: "Access Denied" })),
      ...others.map((named) => ({ ...named, Code: unknown.code, Message: unknown.message })),
    ],
  });
};
