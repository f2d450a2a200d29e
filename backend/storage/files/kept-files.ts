import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";

const AGAIN_MS = 5_000;
const FORGOTTEN_MS = 60_000;

/** A lock that postpones the removal of files. */
export type KeptFiles = {
  /** Releases the lock; throws if it lapsed in between because this process was suspended. */
  release(): void;
};

/**
 * Blocks the removal of files from `folder` in all processes: a backup needs the files of all objects in its database
 * dump, including objects deleted while it copies. Files no object refers to are swept later.
 * The lock file expires after a minute without renewal, so that a killed backup does not block removal forever.
 */
export function keepFiles(folder: string): KeptFiles {
  const note = noteOf(folder);
  writeFileSync(note, "");
  let isWhole = true;
  const renew = () => {
    isWhole &&= isFresh(note);
    const now = Date.now() / 1000;
    if (isWhole) utimesSync(note, now, now);
  };
  const timer = setInterval(renew, AGAIN_MS);
  return {
    release() {
      clearInterval(timer);
      renew();
      rmSync(note, { force: true });
      if (!isWhole) throw new Error("uploaded files were not kept all the time");
    },
  };
}

/** Whether a backup is copying the files in `folder`. */
export function areKept(folder: string): boolean {
  return isFresh(noteOf(folder));
}

const noteOf = (folder: string) => `${folder}.kept`;

function isFresh(note: string): boolean {
  const found = statSync(note, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < FORGOTTEN_MS;
}
