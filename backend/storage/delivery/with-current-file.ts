import { MissingFileError } from "../files/object-store.ts";
import type { ObjectRow } from "../objects/object-row.ts";

/** Retries when an upload replaces the file in between. */
const TRIES = 5;

/**
 * Runs `work` on an object's file, and retries if an upload or a removal deleted the file in between: `find` then runs
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
      if (!(cause instanceof MissingFileError)) throw cause;
      const now = await find();
      if (now.version === object.version || tries === TRIES) throw cause;
      object = now;
    }
  }
}
