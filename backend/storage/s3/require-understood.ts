import { StorageError } from "../storage-error.ts";
import type { S3Call } from "./s3-call.ts";
import { isMoved } from "./signed-headers.ts";

/** What a command that changes something evaluates, besides the place and the headers of what is stored. */
export type Understanding = { conditions?: readonly string[]; parameters?: readonly string[] };

const READING = ["GET", "HEAD"];
const CONDITION = /^(?:x-amz-)?if-/;
/** To add to an object, to encrypt it with a key of the caller's, to protect it from removal. */
const UNKEPT =
  /^x-amz-(?:write-offset-bytes|(?:copy-source-)?server-side-encryption-customer-.+|(?:bucket-)?object-lock-.+)$/;
/** Clients may add what begins so to any request. */
const OF_CLIENTS = "x-";

/**
 * A change is refused if it asks for more than the command understands: without its condition, an object would be
 * removed that is not the one that the client knows, and without its position, the end of a file would replace all of it.
 * @throws StorageError 501
 */
export function requireUnderstood(
  { request: { method, headers }, query }: S3Call,
  part: string | undefined,
  { conditions = [], parameters = [] }: Understanding,
): void {
  if (READING.includes(method)) return;
  const known = [...parameters, part, "versionId"];
  const isOfClients = (name: string) => name.startsWith(OF_CLIENTS) || isMoved(name);
  const parameter = [...query.keys()].find(
    (name) => !known.includes(name) && !isOfClients(name.toLowerCase()),
  );
  const header = Object.entries(headers).find(
    ([name, value]) =>
      (CONDITION.test(name) && !conditions.includes(name)) || (UNKEPT.test(name) && value !== "false"),
  )?.[0];
  const unknown = parameter ?? header;
  if (unknown !== undefined) throw new StorageError(501, "NotImplemented", `${unknown} is not implemented`);
}
