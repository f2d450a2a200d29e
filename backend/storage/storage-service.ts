import type { Readable } from "node:stream";
import type { WorkQueue } from "#backend/memory/work-queue.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { Incoming } from "./files/incoming.ts";
import type { ObjectStore } from "./files/object-store.ts";
import type { UploadStore } from "./files/upload-store.ts";
import type { ImageRenderer } from "./images/image-renderer.ts";
import type { StorageConfig } from "./storage-config.ts";

/** By which secrets requests in S3's dialect are signed. */
export type S3Keys = {
  /** Each passes every policy. */
  accessKeys: readonly { id: string; secret: string }[];
  /** Where a session token comes along, which says who asks: what the public API keys are. */
  sessionSecrets: readonly string[];
};

/** Runs the work for an upload by its id when the one before has ended; a new one ends the connection of that. */
export type TakeUploadTurn = <T>(id: string, body: Readable | null, work: () => Promise<T>) => Promise<T>;

/** What the endpoints stand on. */
export type StorageService = {
  config: StorageConfig;
  /** As the authenticator: each request takes its own role. */
  database: Database;
  verifier: TokenVerifier;
  store: ObjectStore;
  incoming: Incoming;
  s3Keys: S3Keys;
  /** Keys the signatures of addresses. */
  secret: string;
  uploads: UploadStore;
  /** One request at a time for each resumable upload. */
  takeUploadTurn: TakeUploadTurn;
  renderer: ImageRenderer;
  /** Which entry a page of a list ended with, by the list and how many entries were shown until then. */
  pageEnds: { get(key: string): string | undefined; set(key: string, name: string): void };
  /** Where whatever decodes a picture takes its turn. */
  pictures: WorkQueue;
  /** Removes files that no row names any more, behind the answer; where that fails the sweeper makes up for it. */
  discard(versions: readonly string[]): void;
};
