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
