/** Backups that the site makes by itself. */
export type BackupSettings = {
  everyMs: number;
  /** How many are kept; the oldest go. */
  keep: number;
  to: BackupTarget;
};

/** Where PostgreSQL's log is archived as it comes to be, so that a restore loses nothing. */
export type WalArchiveSettings = {
  folder: string;
  /** Whether nothing is confirmed before it is on the disk there. */
  commitsWait: boolean;
};

/** A folder of this machine, or a place in an S3. */
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
