import { readFileSync } from "node:fs";

/** Whether a process is running; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.[0] !== "Z";
  } catch {
    return false;
  }
}

/** The pid of the postmaster for this data folder. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(`${dataDir}/postgres/postmaster.pid`, "utf8").split("\n")[0]);
}

/** The worker processes of the site whose primary process is `pid`, ordered by start time. */
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

/** Sends a signal to the postmaster of this data folder and all its child processes; does nothing if it is gone. */
export function signalPostgres(dataDir: string, signal: NodeJS.Signals): void {
  const postmaster = postmasterOf(dataDir);
  if (!isRunning(postmaster)) return;
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").trim();
  for (const pid of [postmaster, ...(children === "" ? [] : children.split(" ").map(Number))])
    if (isRunning(pid)) process.kill(pid, signal);
}
