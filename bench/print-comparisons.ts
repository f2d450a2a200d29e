import type { Comparison, Measured } from "./compare.ts";

/** A table a comparison: who, how many a second, how late, and the ratio against its aim. */
export function printComparisons(comparisons: Comparison[]): void {
  for (const { title, ours, others } of comparisons) {
    console.log(`\n  ${title}`);
    print(ours, line(ours));
    for (const other of others) print(other, `${line(other)}  ${verdict(other)}`);
  }
}

function print({ note }: Measured, text: string): void {
  console.log(`    ${text}`);
  if (note) console.log(`      ${note}`);
}

function line({ name, perSecond, p50Ms, p99Ms }: Measured): string {
  const rate = Math.round(perSecond).toLocaleString("en-US").padStart(8);
  return `${name.padEnd(28)}${rate}/s  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(9);
}

function verdict({ ratio, aim, met }: Comparison["others"][number]): string {
  const times = `× ${ratio.toFixed(2)}`;
  return aim === null ? times : `${times}  aim ${aim.toFixed(2)} ${met ? "met" : "MISSED"}`;
}
