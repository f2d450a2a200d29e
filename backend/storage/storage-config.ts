import { atOnce } from "#backend/memory/crew.ts";

const MIB = 1024 * 1024;
const HOUR = 3600;

/** How the service behaves; every length of time is in seconds, every size in bytes. */
export type StorageConfig = typeof defaultStorageConfig;

export const defaultStorageConfig = {
  basePath: "/storage/v1",
  /** The header in which a proxy names the client's address; null without a proxy. */
  addressHeader: null as string | null,
  /** Of any object; a bucket's own limit may only be lower. */
  fileSizeLimit: 50 * MIB,
  /** How long an address for an upload holds. */
  uploadUrlLifetime: 2 * HOUR,
  /** How long a resumable upload may take from its beginning. */
  resumableLifetime: 24 * HOUR,
  /** Resumable uploads that one person may have under way. */
  resumablePerPerson: 20,
  /** Bytes that one person's resumable uploads may come to, one file of the largest size at least. */
  resumableBytesPerPerson: 200 * MIB,
  /** How long a file without a row is left alone: its row may be about to be written. */
  orphanGrace: HOUR,
  sweepEvery: HOUR,
  /** Buckets whose pictures are drawn anew when they arrive, so that nothing is in them but what is to be seen. */
  redrawnBuckets: [] as readonly string[],
  images: {
    /** Pictures that are decoded at the same time. */
    workers: atOnce("picture"),
    /** Requests of one client that wait for that; more are told to come back. */
    waiting: 64,
    /** Of the original, all frames together; beyond it a picture is neither taken nor rendered. */
    maxPixels: 50_000_000,
    /** What the rendered pictures may take on the disk. */
    cacheBytes: 256 * MIB,
  },
};
