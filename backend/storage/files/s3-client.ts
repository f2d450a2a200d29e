import { S3Client } from "@aws-sdk/client-s3";

/**
 * A client of any S3: of Amazon's without `endpoint`. Who may use it is told by the usual AWS variables and files.
 * @param patience milliseconds of silence after which a request has failed
 */
export function openS3(region: string, endpoint: string | undefined, patience = 60_000): S3Client {
  return new S3Client({
    region,
    // Names of buckets are no names of hosts on a server of one's own, and not every one knows the newer checksums.
    ...(endpoint && { endpoint, forcePathStyle: true }),
    // By itself it would wait for ever, and whoever asked with it.
    requestHandler: { connectionTimeout: patience, socketTimeout: patience },
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // It would write to the console by itself; what fails is told by whoever asked.
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
}
