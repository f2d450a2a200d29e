import { StorageError } from "../storage-error.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** A full disk as what the client is told; anything else as it is. */
export function diskFull(cause: unknown): unknown {
  if (!FULL.has((cause as NodeJS.ErrnoException).code ?? "")) return cause;
  return new StorageError(507, "InternalError", "There is no space left to store this file");
}
