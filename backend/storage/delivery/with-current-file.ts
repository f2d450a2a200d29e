import { MissingFileError } from "../files/object-store.ts";
import type { ObjectRow } from "../objects/object-row.ts";

/** So often may an upload come in between. */
const TRIES = 5;

/**
 * Works with an object's file, and once more where an upload or a removal took that away in the moment between: `find`
 * is then asked anew, and throws by itself where the object is gone.
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
