import type { S3Options } from "#backend/storage/files/s3-store.ts";
import { type Environment, fail, Variables } from "./variables.ts";

/** The largest object S3 accepts in a single request. */
const LARGEST_FILE = 5 * 1024 ** 3;

/**
 * Reads `UPLOAD_FILE_SIZE_LIMIT`, `S3_PROTOCOL_ACCESS_KEY_ID` with its secret, and `S3_BUCKET` with `S3_REGION` and
 * `S3_ENDPOINT`. Credentials are the usual AWS ones, which the client finds by itself. Throws a one-sentence
 * `ConfigurationError`.
 */
export function readStorageSettings(environment: Environment) {
  const upload = new Variables(environment, "UPLOAD");
  return {
    /** Maximum size of an object in bytes; null for the service's default. */
    fileSizeLimit: upload.integer("file-size-limit", { min: 1, max: LARGEST_FILE }),
    /** Where files are stored; null for a local folder. */
    s3: readS3(new Variables(environment, "S3")),
    /** Signs requests of S3 clients that bypass every policy, in addition to the key derived from the JWT secret. */
    s3AccessKey: readAccessKey(new Variables(environment, "S3_PROTOCOL")),
  };
}

function readS3(variables: Variables): S3Options | null {
  const bucket = variables.text("bucket");
  const endpoint = variables.text("endpoint");
  const region = variables.text("region");
  if (bucket === null) {
    if (endpoint !== null || region !== null) fail("bucket", "must name the bucket to use", "S3");
    return null;
  }
  if (endpoint !== null && !/^https?:\/\/[^/]+\/?$/.test(endpoint)) {
    fail("endpoint", "must be an address such as https://s3.example.com", "S3");
  }
  return { bucket, region: region ?? "us-east-1", ...(endpoint !== null && { endpoint }) };
}

function readAccessKey(variables: Variables): { id: string; secret: string } | null {
  const id = variables.text("access-key-id");
  const secret = variables.text("access-key-secret");
  if (id === null && secret === null) return null;
  if (id === null) fail("access-key-id", "must be set where the secret is", "S3_PROTOCOL");
  if (secret === null) fail("access-key-secret", "must be set where the key's id is", "S3_PROTOCOL");
  return { id, secret };
}
