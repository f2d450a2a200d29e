import { StorageError } from "../storage-error.ts";

const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** Maps a full disk to a 507; other errors are returned unchanged. */
export function diskFull(cause: unknown): unknown {
  if (!FULL.has((cause as NodeJS.ErrnoException).code ?? "")) return cause;
  return new StorageError(507, "InternalError", "There is no space left to store this file");
}
