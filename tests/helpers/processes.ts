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

/** The processes that serve for the site whose first process is `pid`, by when they started. */
export function workersOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
  return children.filter((child) => {
    try {
      return isRunning(child) && readFileSync(`/proc/${child}/cmdline`, "utf8").includes("worker.ts");
    } catch {
      return false;
    }
  });
}

/** Sends a signal to the PostgreSQL of this data folder, and to all of its processes; to none that is gone. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  const postmaster = postmasterOf(dataDir);
  if (!isRunning(postmaster)) return;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim();
  for (const pid of [postmaster, ...(children === "" ? [] : children.split(" ").map(Number))])
    if (isRunning(pid)) process.kill(pid, signal);
}
