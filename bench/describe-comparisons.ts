import type { Comparison, Measured } from "./compare.ts";

/** A table a comparison: who, how many a second, how late, and the ratio against its aim. */
export function describeComparisons(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ title, ours, others }) => [
    "",
    `  ${title}`,
    ...describe(ours, line(ours)),
    ...others.flatMap((other) => describe(other, `${line(other)}  ${verdict(other)}`)),
  ]);
}

function describe({ note }: Measured, text: string): string[] {
  return [`    ${text}`, ...(note ? [`      ${note}`] : [])];
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
