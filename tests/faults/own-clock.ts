import { existsSync, globSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const fileOf = (dataDir: string) => join(dataDir, "clock");

/** Environment variables that give a site its own clock, using Debian's libfaketime; null if it is not installed. */
export function ownClock(dataDir: string): Record<string, string> | null {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (!library || !existsSync(dataDir)) return null;
  setClock(dataDir, "+0");
  return {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: fileOf(dataDir),
    FAKETIME_NO_CACHE: "1",
    // Timers use a monotonic clock that never jumps.
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
    DONT_FAKE_MONOTONIC: "1",
  };
}

/**
 * Written atomically: a process that reads an empty file keeps its previous offset.
 * @param offset from the machine's clock, in seconds, such as `-900`
 */
export function setClock(dataDir: string, offset: string): void {
  const next = `${fileOf(dataDir)}.next`;
  writeFileSync(next, `${offset}\n`);
  renameSync(next, fileOf(dataDir));
}
