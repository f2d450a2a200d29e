import type { Database } from "../database.ts";
import type { Replica } from "./follow-replica.ts";

/** The database with its shared reads served by the replica while that is usable. */
export function withReplica(primary: Database, replica: Replica | null): Database {
  if (!replica) return primary;
  return {
    ...primary,
    batch(steps, options = {}) {
      const onPrimary = () => primary.batch(steps, options);
      if (!options.shared || options.undo) return onPrimary();
      return replica.read(steps, options.guest, onPrimary);
    },
  };
}
