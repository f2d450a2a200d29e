import { MissingFileError } from "../files/object-store.ts";
import type { ObjectRow } from "../objects/object-row.ts";
import { StorageError } from "../storage-error.ts";

/** Retries when an upload replaces the file in between. */
const TRIES = 5;

/**
 * Runs `work` on an object's version, and retries if an upload or a removal replaced it in between: `find` then runs
 * again, and throws if the object is gone.
 */
export async function withCurrentFile<Result>(
  find: () => Promise<ObjectRow>,
  work: (object: ObjectRow) => Promise<Result>,
): Promise<Result> {
  let object = await find();
  for (let tries = 1; ; tries++) {
    try {
      return await work(object);
    } catch (cause) {
      if (!isGone(cause)) throw cause;
      const now = await find();
      if (now.version === object.version || tries === TRIES) throw cause;
      object = now;
    }
  }
}

/** Whether the version's file or its row was not found any more. */
function isGone(cause: unknown): boolean {
  return cause instanceof MissingFileError || (cause instanceof StorageError && cause.code === "NoSuchKey");
}
