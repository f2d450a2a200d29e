import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Actor } from "../database/run-as.ts";
import type { Reply } from "../requests/call.ts";
import { PLACEHOLDER } from "../requests/names.ts";
import { invalidArgument, StorageError } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import type { Signature, Signer } from "./signature.ts";

/** A request whose signature has been verified. */
export type S3Call = {
  /** As it was signed, so with the headers of a presigned URL's query. */
  request: HttpRequest;
  query: URLSearchParams;
  /** Empty for requests about all buckets. */
  bucket: string;
  /** Empty for requests about the bucket. */
  key: string;
  actor: Actor;
  signature: Signature;
  /** Signs with the caller's key, to verify the body's chunks. */
  sign: Signer;
};

export type S3Command = (call: S3Call, service: StorageService) => Promise<Reply>;

/** S3's clients make a folder of an empty object whose name ends in a slash; it is stored as the dashboard stores it. */
export const nameOf = (key: string) => (key.endsWith("/") ? key + PLACEHOLDER : key);

/** Parses an integer query parameter. @throws StorageError 400 */
export function countOf(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name);
  if (text === null || text === "") return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument(`${name} must be a whole number`);
  return Math.min(Number(text), most);
}

/** S3's name of the only version where earlier ones are not kept, as the lists of versions have it. */
const ONLY_VERSION = "null";

export function isOnlyVersion(version: string | null | undefined): boolean {
  return !version || version === ONLY_VERSION;
}

/** @throws StorageError 404: an object is never taken for another version of it */
export function requireOnlyVersion(version: string | null | undefined): void {
  if (!isOnlyVersion(version)) throw noSuchVersion();
}

export const noSuchVersion = () =>
  new StorageError(404, "NoSuchVersion", "The specified version does not exist.");
