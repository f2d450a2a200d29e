import type { HttpRequest } from "#backend/http/http-message.ts";
import type { Actor } from "../database/run-as.ts";
import type { Reply } from "../requests/call.ts";
import { StorageError } from "../storage-error.ts";
import type { StorageService } from "../storage-service.ts";
import type { Signature, Signer } from "./signature.ts";

/** A request whose signature is right. */
export type S3Call = {
  request: HttpRequest;
  query: URLSearchParams;
  /** Empty for what is asked of all buckets. */
  bucket: string;
  /** Empty for what is asked of the bucket. */
  key: string;
  actor: Actor;
  signature: Signature;
  /** Signs by the caller's key: what follows in the body. */
  sign: Signer;
};

export type S3Command = (call: S3Call, service: StorageService) => Promise<Reply>;

/** A whole number of the query. @throws StorageError 400 */
export function countOf(query: URLSearchParams, name: string, otherwise: number, most: number): number {
  const text = query.get(name);
  if (text === null || text === "") return otherwise;
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument(`${name} must be a whole number`);
  return Math.min(Number(text), most);
}

export function invalidArgument(message: string): StorageError {
  return new StorageError(400, "InvalidArgument", message);
}
