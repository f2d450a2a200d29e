import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../configuration/start-error.ts";
import { receiveWal } from "./receive-wal.ts";

/** What this process is asked to do. */
type ArchiveJob = { url: string; folder: string };

/** What it says: each second that the log is archived, or why it is not. */
export type ArchiveWord = { kept: true } | { failure: string; isOurs: boolean };

const AGAIN_AFTER_MS = 300;

// A process of its own: nobody's commit waits for what the site renders. With the site it ends.
process.once("disconnect", () => process.exit());

process.once("message", async ({ url, folder }: ArchiveJob) => {
  const say = (word: ArchiveWord) => void process.send?.(word);
  for (;;) {
    await receiveWal(url, folder, () => say({ kept: true })).catch((error: Error) =>
      say({ failure: error.message, isOurs: error instanceof StartError }),
    );
    await sleep(AGAIN_AFTER_MS);
  }
});
