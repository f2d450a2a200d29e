import { S3Client } from "@aws-sdk/client-s3";

/**
 * A client of any S3 server, or of AWS without `endpoint`. Credentials come from the usual AWS variables and files.
 * @param patience milliseconds of silence after which a request fails
 */
export function openS3(region: string, endpoint: string | undefined, patience = 60_000): S3Client {
  return new S3Client({
    region,
    // A self-hosted server does not serve buckets as subdomains, and may not support the newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // By default there is no timeout, and the caller would wait forever, too.
    requestHandler: { connectionTimeout: patience, socketTimeout: patience },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // By default it writes to the console; callers report failures themselves.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
