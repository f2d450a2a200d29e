import { rmSync, statSync, utimesSync, writeFileSync } from "node:fs";

const AGAIN_MS = 5_000;
const FORGOTTEN_MS = 60_000;

/** Files that are not removed for a while. */
export type KeptFiles = {
  /** Lets files go again; throws where they were not kept all the time, since this process stood still. */
  release(): void;
};

/**
 * From now on no file is removed from `folder`, by whatever process: a backup needs the files of all objects that its
 * database knows, also of those that are deleted while it copies. What no object names any more is swept later.
 * The note of it counts for a minute, so that a backup that was killed keeps nothing for ever.
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

/** Whether somebody copies the files in `folder` just now. */
export function areKept(folder: string): boolean {
  return isFresh(noteOf(folder));
}

const noteOf = (folder: string) => `${folder}.kept`;

function isFresh(note: string): boolean {
  const found = statSync(note, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < FORGOTTEN_MS;
}
