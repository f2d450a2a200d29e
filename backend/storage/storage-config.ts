import { availableMemory } from "#backend/memory/available-memory.ts";
import { atOnce } from "#backend/memory/process-group.ts";
import { pixelLimit } from "./pixel-limit.ts";

const MIB = 1024 * 1024;
const HOUR = 3600;

/** Settings of the service; all durations in seconds, all sizes in bytes. */
export type StorageConfig = typeof defaultStorageConfig;

export const defaultStorageConfig = {
  basePath: "/storage/v1",
  /** The header in which a proxy passes the client's address; null without a proxy. */
  addressHeader: null as string | null,
  /** Limit for all objects; a bucket's own limit can only be lower. */
  fileSizeLimit: 50 * MIB,
  /** Lifetime of a signed upload URL. */
  uploadUrlLifetime: 2 * HOUR,
  /** Lifetime of a resumable upload since its creation. */
  resumableLifetime: 24 * HOUR,
  /** Maximum number of resumable uploads in progress per user. */
  resumablePerPerson: 20,
  /** Maximum total bytes of a user's resumable uploads; at least one file of the maximum size. */
  resumableBytesPerPerson: 200 * MIB,
  /** How long a file without a row is kept: its row may be about to be written. */
  orphanGrace: HOUR,
  /** Memory for small files that were read before. */
  heldBytes: 32 * MIB,
  sweepEvery: HOUR,
  /** Buckets whose pictures are re-encoded on upload, so that they contain nothing but visible pixels. */
  reencodedBuckets: [] as readonly string[],
  images: {
    /** Pictures decoded concurrently. */
    workers: atOnce("picture"),
    /** Queued requests per client; further ones get a 429. */
    waiting: 64,
    /** Pixels of the original, all frames together; larger pictures are neither accepted nor rendered. */
    maxPixels: pixelLimit(availableMemory(), atOnce("picture")),
    /** Maximum size of the cache of rendered pictures. */
    cacheBytes: 256 * MIB,
  },
};
