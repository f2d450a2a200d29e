import { invalidKey, StorageError } from "../storage-error.ts";

const LONGEST_KEY_BYTES = 1024;
const LONGEST_BUCKET = 100;
const KEY = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const BUCKET = /^[\w!\-.*'() &$@=;:+,?]+$/;

/**
 * An object's name: ASCII letters, digits and what S3 allows beside them, in folders. It names no file on the disk, but
 * clients read it as a path: what would lead elsewhere there, or nowhere, is no name.
 * @throws StorageError 400 InvalidKey
 */
export function requireKey(key: string): string {
  const isPath = key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPath || !KEY.test(key) || Buffer.byteLength(key) > LONGEST_KEY_BYTES) throw invalidKey(key);
  return key;
}

/** @throws StorageError 400 InvalidBucketName */
export function requireBucketName(name: string): string {
  if (!BUCKET.test(name) || name.length > LONGEST_BUCKET || name.trim() !== name) {
    throw new StorageError(400, "InvalidBucketName", "Bucket name invalid", { error: "Invalid Input" });
  }
  return name;
}
