import { invalidKey, StorageError } from "../storage-error.ts";

const LONGEST_KEY_BYTES = 1024;
const LONGEST_BUCKET = 100;
const KEY = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const BUCKET = /^[\w!\-.*'() &$@=;:+,?]+$/;

/**
 * Validates the name that an object is to have: ASCII letters, digits and the special characters S3 allows, with
 * folders. Names are not used as paths on this disk, but clients may use them as such, so `.`, `..` and empty segments
 * are refused.
 * @throws StorageError 400 InvalidKey
 */
export function requireKey(key: string): string {
  const isPath = key.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  if (!isPath || !isName(key)) throw invalidKey(key);
  return key;
}

/**
 * Validates the name of an object to find. Those that came from the hosted service may have empty parts, and clients ask
 * for `folder/` to see whether there is one.
 * @throws StorageError 400 InvalidKey
 */
export function requireName(key: string): string {
  if (!isName(key)) throw invalidKey(key);
  return key;
}

export function isName(key: string): boolean {
  return KEY.test(key) && Buffer.byteLength(key) <= LONGEST_KEY_BYTES;
}

/** The last part of the name of the empty file that stands for a folder. */
export const PLACEHOLDER = ".emptyFolderPlaceholder";

/** @throws StorageError 400 InvalidBucketName */
export function requireBucketName(name: string): string {
  if (!BUCKET.test(name) || name.length > LONGEST_BUCKET || name.trim() !== name) {
    throw new StorageError(400, "InvalidBucketName", "Bucket name invalid", { error: "Invalid Input" });
  }
  return name;
}
