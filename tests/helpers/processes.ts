import { readFileSync } from "node:fs";

/** Whether a process runs; one that ended and only waits to be counted by its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
}

/** The process of the PostgreSQL that keeps its cluster in this data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, "utf8").split("\n")[0]);
}
