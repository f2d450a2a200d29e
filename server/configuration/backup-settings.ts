/** Settings of scheduled backups. */
export type BackupSettings = {
  everyMs: number;
  /** How many backups are kept; the oldest are deleted. */
  keep: number;
  to: BackupTarget;
};

/** Continuous WAL archiving, with which a restore loses nothing. */
export type WalArchiveSettings = {
  folder: string;
  /** Whether a commit waits until its WAL is on the archive's disk. */
  commitsWait: boolean;
};

/** A local folder or a place in S3. */
export type BackupTarget = { folder: string } | S3Place;

export type S3Place = {
  bucket: string;
  /** Ends with a slash, or is empty. */
  prefix: string;
  region: string;
  endpoint?: string | undefined;
};

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** `30m`, `24h`, `7d`; null for anything else. */
export function parseEvery(text: string): number | null {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  return count && unit ? Number(count) * UNITS[unit as keyof typeof UNITS] : null;
}

const S3_ADDRESS = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]*))?$/;

/** `s3://bucket/place`; null for anything else, which is a folder. */
export function parseS3Address(
  text: string,
  { region, endpoint }: Pick<S3Place, "region" | "endpoint">,
): S3Place | null {
  const [, bucket, path = ""] = S3_ADDRESS.exec(text) ?? [];
  if (!bucket) return null;
  const plain = path.replace(/^\/+|\/+$/g, "");
  return { bucket, prefix: plain === "" ? "" : `${plain}/`, region, ...(endpoint && { endpoint }) };
}
