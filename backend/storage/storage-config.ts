import { availableParallelism } from "node:os";

/** How the service behaves; every length of time is in seconds, every size in bytes. */
export type StorageConfig = {
  basePath: string;
  /** The header in which a proxy names the client's address; null without a proxy. */
  addressHeader: string | null;
  /** Of any object; a bucket's own limit may only be lower. */
  fileSizeLimit: number;
  /** How long an address for an upload holds. */
  uploadUrlLifetime: number;
  /** How long a resumable upload may take from its beginning. */
  resumableLifetime: number;
  /** Resumable uploads that one person may have under way. */
  resumablePerPerson: number;
  /** Bytes that one person's resumable uploads may come to, one file of the largest size at least. */
  resumableBytesPerPerson: number;
  /** How long a file without a row is left alone: its row may be about to be written. */
  orphanGrace: number;
  sweepEvery: number;
  /** Buckets whose pictures are drawn anew when they arrive, so that nothing is in them but what is to be seen. */
  redrawnBuckets: readonly string[];
  images: {
    /** Pictures that are decoded at the same time. */
    workers: number;
    /** Requests of one client that wait for that; more are told to come back. */
    waiting: number;
    /** Of the original, all frames together; beyond it a picture is neither taken nor rendered. */
    maxPixels: number;
    /** What the rendered pictures may take on the disk. */
    cacheBytes: number;
  };
};

const MIB = 1024 * 1024;
const HOUR = 3600;
/** One core is left to everything else. */
const WORKERS = Math.max(1, Math.min(4, availableParallelism() - 1));

export const defaultStorageConfig: StorageConfig = {
  basePath: "/storage/v1",
  addressHeader: null,
  fileSizeLimit: 50 * MIB,
  uploadUrlLifetime: 2 * HOUR,
  resumableLifetime: 24 * HOUR,
  resumablePerPerson: 20,
  resumableBytesPerPerson: 200 * MIB,
  orphanGrace: HOUR,
  sweepEvery: HOUR,
  redrawnBuckets: [],
  images: { workers: WORKERS, waiting: 64, maxPixels: 50_000_000, cacheBytes: 256 * MIB },
};
