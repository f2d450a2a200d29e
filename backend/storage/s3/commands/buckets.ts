import { runAs } from "../../database/run-as.ts";
import { BUCKET_COLUMNS, findBucket, toBucket } from "../../objects/bucket-row.ts";
import { makeBucket, removeBucket } from "../../objects/buckets.ts";
import { requireBucketName } from "../../requests/names.ts";
import type { S3Command } from "../s3-call.ts";
import { readXml, xmlReply } from "../xml.ts";

/** There is only one region, whatever region the client signs for. */
const REGION = "us-east-1";

/** GET /: the buckets that the caller's policies show. */
export const listBuckets: S3Command = async ({ actor }, { database }) => {
  const text = `select ${BUCKET_COLUMNS} from storage.buckets order by name collate "C"`;
  const buckets = (await runAs(database, actor, { text, values: [] })).map(toBucket);
  const Bucket = buckets.map(({ name, created_at }) => ({ Name: name, CreationDate: created_at }));
  return xmlReply("ListAllMyBucketsResult", { Owner: { ID: actor.identity.role }, Buckets: { Bucket } });
};

/** PUT /{bucket}; with `x-amz-acl: public-read`, the bucket is public. */
export const createBucket: S3Command = async (call, service) => {
  const id = requireBucketName(call.bucket);
  // The requested location is ignored, but a malformed body is still refused.
  await readXml(call, "CreateBucketConfiguration");
  const isPublic = call.request.headers["x-amz-acl"] === "public-read";
  await makeBucket(service, call.actor, { id, name: id, isPublic, limit: null, types: null });
  return { status: 200, headers: { location: `/${id}`, "content-length": "0" } };
};

/** DELETE /{bucket}, if it is empty. */
export const deleteBucket: S3Command = async ({ bucket, actor }, service) => {
  await removeBucket(service, actor, bucket);
  return { status: 204 };
};

/** HEAD /{bucket} */
export const headBucket: S3Command = async ({ bucket, actor }, service) => {
  await findBucket(service, actor, bucket);
  return { status: 200, headers: { "x-amz-bucket-region": REGION } };
};

/** GET /{bucket}?location */
export const locateBucket: S3Command = async ({ bucket, actor }, service) => {
  await findBucket(service, actor, bucket);
  return xmlReply("LocationConstraint", REGION);
};

/** GET /{bucket}?versioning: each object has only one version. */
export const getVersioning: S3Command = async ({ bucket, actor }, service) => {
  await findBucket(service, actor, bucket);
  return xmlReply("VersioningConfiguration", { Status: "Suspended", MfaDelete: "Disabled" });
};
