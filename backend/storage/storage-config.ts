/** How the service behaves; every length of time is in seconds, every size in bytes. */
export type StorageConfig = {
  basePath: string;
  /** Of any object; a bucket's own limit may only be lower. */
  fileSizeLimit: number;
  /** How long an address for an upload holds. */
  uploadUrlLifetime: number;
  /** How long a resumable upload may take from its beginning. */
  resumableLifetime: number;
  /** How long a file without a row is left alone: its row may be about to be written. */
  orphanGrace: number;
  sweepEvery: number;
  images: {
    /** Pictures that are rendered at the same time. */
    workers: number;
    /** Requests that wait for that; more are told to come back. */
    waiting: number;
    /** Of the original, all frames together; beyond it a picture is neither taken nor rendered. */
    maxPixels: number;
    /** What the rendered pictures may take on the disk. */
    cacheBytes: number;
  };
};

const MIB = 1024 * 1024;
const HOUR = 3600;

export const defaultStorageConfig: StorageConfig = {
  basePath: "/storage/v1",
  fileSizeLimit: 50 * MIB,
  uploadUrlLifetime: 2 * HOUR,
  resumableLifetime: 24 * HOUR,
  orphanGrace: HOUR,
  sweepEvery: HOUR,
  images: { workers: 2, waiting: 64, maxPixels: 50_000_000, cacheBytes: 256 * MIB },
};
