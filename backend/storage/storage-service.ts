import type { Readable } from "node:stream";
import type { WorkQueue } from "#backend/memory/work-queue.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { Incoming } from "./files/incoming.ts";
import type { ObjectStore } from "./files/object-store.ts";
import type { UploadStore } from "./files/upload-store.ts";
import type { ImageRenderer } from "./images/image-renderer.ts";
import type { StorageConfig } from "./storage-config.ts";

/** Secrets that sign S3 requests. */
export type S3Keys = {
  /** Each bypasses all policies. */
  accessKeys: readonly { id: string; secret: string }[];
  /** The secrets of requests with a session token, which identifies the user: the public API keys. */
  sessionSecrets: readonly string[];
};

/** Serializes work by upload id; a new request closes the connection of the one before. */
export type LockUpload = <T>(id: string, body: Readable | null, work: () => Promise<T>) => Promise<T>;

/** Dependencies of the endpoints. */
export type StorageService = {
  config: StorageConfig;
  /** Connected as the authenticator: each request switches to its own role. */
  database: Database;
  verifier: TokenVerifier;
  store: ObjectStore;
  incoming: Incoming;
  s3Keys: S3Keys;
  /** Signs URLs. */
  secret: string;
  uploads: UploadStore;
  /** One request at a time for each resumable upload, and one that ends a multipart upload. */
  lockUpload: LockUpload;
  renderer: ImageRenderer;
  /** The last entry of each list page, keyed by the list and the number of entries up to there. */
  pageEnds: { get(key: string): string | undefined; set(key: string, name: string): void };
  /** The queue for everything that decodes pictures. */
  pictures: WorkQueue;
  /** Removes unreferenced files in the background; if that fails, the sweeper catches up. */
  discard(versions: readonly string[]): void;
};
