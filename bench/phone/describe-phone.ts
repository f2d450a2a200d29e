import { type FirstView, weigh } from "./first-view.ts";

export type PageResult = { path: string; ours: FirstView; floor: FirstView };
export type ActResult = { path: string; name: string; inp: number };
export type PhoneResult = { pages: PageResult[]; acts: ActResult[] };

/** Targets for a first view and an interaction. */
const AIMS = { lcp: 1_200, shift: 0, bytes: 180_000, inp: 100 };

export function describePhone({ pages, acts }: PhoneResult): string[] {
  const lines = [
    "  first view, medians: LCP ms (static copy, ratio), shift, KB in all, KB by kind, requests before the first paint",
  ];
  for (const { path, ours, floor } of pages) {
    const total = weigh(ours.bytes);
    const kinds = Object.entries(ours.bytes).filter(([, size]) => size > 0);
    const misses = [
      ours.lcp > AIMS.lcp && "LCP",
      ours.shift > AIMS.shift && "shift",
      total > AIMS.bytes && "bytes",
    ].filter(Boolean);
    lines.push(
      [
        `  ${path.slice(0, 34).padEnd(34)}`,
        `${ours.lcp.toFixed(0).padStart(5)} (${floor.lcp.toFixed(0)}, ${(ours.lcp / floor.lcp).toFixed(2)})`,
        ours.shift.toFixed(3),
        `${kb(total)} KB`,
        `${kinds.map(([kind, size]) => `${kind} ${kb(size)}`).join(", ")} (and ${kb(ours.below)} below)`,
        `${ours.before}`,
        ours.lcpElement,
        misses.length > 0 ? `misses: ${misses.join(", ")}` : "",
      ].join("  "),
    );
  }
  lines.push("  from a press to the next paint, medians, ms");
  for (const { path, name, inp } of acts) {
    const miss = inp > AIMS.inp ? `  misses ${AIMS.inp}` : "";
    lines.push(`  ${path.padEnd(18)} ${name.padEnd(38)} ${inp.toFixed(0).padStart(5)}${miss}`);
  }
  return lines;
}

const kb = (bytes: number) => (bytes / 1_000).toFixed(1);
