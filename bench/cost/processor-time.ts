import { readdirSync, readFileSync } from "node:fs";

/** Linux counts a process's time in hundredths of a second. */
const MS_A_TICK = 10;

/** Milliseconds of processor time. */
export type ProcessorTime = { node: number; postgres: number };

/** Processor time used so far by a process and all its descendants; Linux only. */
export function readProcessorTime(root: number): ProcessorTime {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess);
  const family = new Set([root]);
  // A parent may come after its child in the list.
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

/** Empty for a process that has ended meanwhile. */
function readProcess(pid: string): ProcessFacts[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    // From the third field on, as numbered by proc(5): 4 is the parent, 14 to 17 are times, its own and those of its
    // ended children.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]), 0);
    return [{ pid: Number(pid), parent: Number(fields[1]), name, ms: ticks * MS_A_TICK }];
  } catch {
    return [];
  }
}
