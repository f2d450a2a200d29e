import { readFileSync } from "node:fs";

/** In seconds, and in bytes of the machine's memory. */
export type ProcessUsage = { cpuTime: number; memory: number };

/** The kernel's clock ticks a second, on every Linux there is. */
const TICKS = 100;
const KIB = 1024;

/** What a process has taken so far; null where it has ended, or where the system has no /proc. */
export function readUsage(pid: number): ProcessUsage | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in parentheses, may hold anything; of what follows, the 12th and 13th are user's and system's ticks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const resident = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return {
      cpuTime: (Number(fields[11]) + Number(fields[12])) / TICKS,
      memory: Number(resident ?? 0) * KIB,
    };
  } catch {
    return null;
  }
}
