import { setPriority } from "node:os";
import { StartError } from "../configuration/start-error.ts";
import { type BackupJob, type MadeBackup, makeBackup } from "./make-backup.ts";

/** What this process says at its end. */
export type BackupOutcome = { made: MadeBackup } | { failure: string; isOurs: boolean };

// A process of its own: checksums of a whole database would hold up every visitor, and this way it gets what they leave.
setPriority(10);

// With the site this ends too, and with this the scratch database.
process.once("disconnect", () => process.exit(1));

process.once("message", (job: BackupJob) => {
  makeBackup(job)
    .then<BackupOutcome, BackupOutcome>(
      (made) => ({ made }),
      (error: Error) => ({ failure: error.message, isOurs: error instanceof StartError }),
    )
    .then((outcome) => process.send?.(outcome, () => process.exit()));
});
