import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "../configuration/start-error.ts";
import { receiveWal } from "./receive-wal.ts";

/** The task of this process. */
type ArchiveJob = { url: string; folder: string };

/** Message from this process: each second that WAL is archived, or why it is not. */
export type ArchiveWord = { kept: true } | { failure: string; isOurs: boolean };

const AGAIN_AFTER_MS = 300;

// A process of its own, so that rendering never delays a commit. Ends when the site does.
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
