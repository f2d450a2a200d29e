declare module "@20minutes/s3rver" {
  /** The part of s3rver that the tests use; the package has no types. */
  class S3rver {
    constructor(options: {
      address: string;
      port: number;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
      allowMismatchedSignatures: boolean;
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
  export = S3rver;
}
