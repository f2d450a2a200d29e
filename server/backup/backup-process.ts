import { setPriority } from "node:os";
import { StartError } from "../configuration/start-error.ts";
import { type BackupJob, type MadeBackup, makeBackup } from "./make-backup.ts";

/** The message this process sends when it ends. */
export type BackupOutcome = { made: MadeBackup } | { failure: string; isOurs: boolean };

// A low-priority process of its own: checksumming a whole database would slow down every request.
setPriority(10);

// Ends when the site does, taking the scratch database down with it.
process.once("disconnect", () => process.exit(1));

process.once("message", (job: BackupJob) => {
  makeBackup(job)
    .then<BackupOutcome, BackupOutcome>(
      (made) => ({ made }),
      (error: Error) => ({ failure: error.message, isOurs: error instanceof StartError }),
    )
    .then((outcome) => process.send?.(outcome, () => process.exit()));
});
