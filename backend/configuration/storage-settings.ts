import type { S3Options } from "#backend/storage/files/s3-store.ts";
import { type Environment, refuse, Variables } from "./variables.ts";

/** The largest object S3 accepts in a single request. */
const LARGEST_FILE = 5 * 1024 ** 3;
/** Services other than Amazon's allow more than its rules; an access point is named by its ARN. */
const BUCKET = /^(?:[\w.-]{1,255}|arn:[\w:/-]+)$/;
export const REGION = /^[\w-]+$/;
export const REGION_RULE = "must be the name of a region such as eu-central-1";

/**
 * Reads `UPLOAD_FILE_SIZE_LIMIT`, `S3_PROTOCOL_ACCESS_KEY_ID` with its secret, and `S3_BUCKET` with `S3_REGION` and
 * `S3_ENDPOINT`. Credentials are the usual AWS ones, which the client finds by itself. Throws a one-sentence
 * `ConfigurationError`.
 */
export function readStorageSettings(environment: Environment) {
  const variables = new Variables(environment);
  return {
    /** Maximum size of an object in bytes; null for the service's default. */
    fileSizeLimit: variables.integer("UPLOAD_FILE_SIZE_LIMIT", { min: 1, max: LARGEST_FILE }),
    /** Where files are stored; null for a local folder. */
    s3: readS3(variables),
    /** Signs requests of S3 clients that bypass every policy, in addition to the key derived from the JWT secret. */
    s3AccessKey: readAccessKey(variables),
  };
}

function readS3(variables: Variables): S3Options | null {
  const bucket = variables.text("S3_BUCKET");
  const endpoint = variables.text("S3_ENDPOINT");
  const region = variables.text("S3_REGION");
  if (bucket === null) {
    if (endpoint !== null || region !== null) refuse("S3_BUCKET", "must name the bucket to use");
    return null;
  }
  if (endpoint !== null && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    refuse("S3_ENDPOINT", "must be an address such as https://s3.example.com");
  }
  if (!BUCKET.test(bucket)) refuse("S3_BUCKET", "must be the name of a bucket, such as my-files");
  if (region !== null && !REGION.test(region)) refuse("S3_REGION", REGION_RULE);
  return { bucket, region: region ?? "us-east-1", ...(endpoint !== null && { endpoint }) };
}

function readAccessKey(variables: Variables): { id: string; secret: string } | null {
  const id = variables.text("S3_PROTOCOL_ACCESS_KEY_ID");
  const secret = variables.text("S3_PROTOCOL_ACCESS_KEY_SECRET");
  if (id === null && secret === null) return null;
  if (id === null) refuse("S3_PROTOCOL_ACCESS_KEY_ID", "must be set where the secret is");
  if (secret === null) refuse("S3_PROTOCOL_ACCESS_KEY_SECRET", "must be set where the key's id is");
  return { id, secret };
}
