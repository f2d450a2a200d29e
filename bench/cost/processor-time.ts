import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second. */
const MS_A_TICK = 10;

/** Milliseconds of processor time. */
export type ProcessorTime = { node: number; postgres: number };

/** What a process and all that it started used so far; only Linux tells. */
export function readProcessorTime(root: number): ProcessorTime {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const family = new Set([root]);
  // A parent may stand behind its child in the list.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const total = { node: 0, postgres: 0 };
  for (const { pid, name, ms } of processes) {
    if (family.has(pid)) total[name === "postgres" ? "postgres" : "node"] += ms;
  }
  return total;
}

type ProcessFacts = { pid: number; parent: number; name: string; ms: number };

/** Nothing for a process that ended meanwhile. */
function readProcess(pid: string): ProcessFacts[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    // From the third field on, as proc(5) counts them: 4 is the parent, 14 to 17 are times, its own and its ended children's.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), name, ms: ticks * MS_A_TICK }];
  } catch {
    return [];
  }
}
