import { S3Client } from "@aws-sdk/client-s3";
import { deriveAccessKey } from "#backend/tokens/derive-key.ts";
import type { Person } from "../people.ts";
import { jwtSecret, type StorageTestServer } from "./storage-server.ts";

type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/** Amazon's own client with default settings, except for the endpoint. */
export function s3Client(url: string, credentials: Credentials): S3Client {
  return new S3Client({
    endpoint: `${url}/storage/v1/s3`,
    region: "us-east-1",
    forcePathStyle: true,
    maxAttempts: 1,
    credentials,
  });
}

/** With the server owner's keys, which bypass every policy. */
export function ownersClient({ url }: Pick<StorageTestServer, "url">): S3Client {
  const { id, secret } = deriveAccessKey(jwtSecret);
  return s3Client(url, { accessKeyId: id, secretAccessKey: secret });
}

/** With a user's session; their policies apply. */
export function personsClient({ url, keys, anonKey }: StorageTestServer, person: Person): S3Client {
  return s3Client(url, { accessKeyId: "project", secretAccessKey: anonKey, sessionToken: keys[person] });
}
