import type { Comparison, Measured } from "./compare.ts";

/** A table per comparison: server, requests per second, latency, and the ratio against its target. */
export function describeComparisons(comparisons: Comparison[]): string[] {
  return comparisons.flatMap(({ title, ours, others }) => [
    "",
    `  ${title}`,
    ...describe(ours, line(ours)),
    ...others.flatMap((other) => describe(other, `${line(other)}  ${verdict(other)}${workOf(ours, other)}`)),
  ]);
}

function describe({ note }: Measured, text: string): string[] {
  return [`    ${text}`, ...(note ? [`      ${note}`] : [])];
}

function line({ name, perSecond, p50Ms, p99Ms, workUs }: Measured): string {
  const rate = Math.round(perSecond).toLocaleString("en-US").padStart(8);
  const work = workUs == null ? "" : `  work ${workUs.toFixed(0).padStart(5)} µs`;
  return `${name.padEnd(28)}${rate}/s  p50 ${ms(p50Ms)}  p99 ${ms(p99Ms)}${work}`;
}

/**
 * The other server's processor time per request relative to ours: the ratio of the rates if each had a core of its own.
 */
function workOf(ours: Measured, other: Measured): string {
  return ours.workUs == null || other.workUs == null
    ? ""
    : `  work × ${(other.workUs / ours.workUs).toFixed(2)}`;
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(9);
}

function verdict({ ratio, aim, met }: Comparison["others"][number]): string {
  const times = `× ${ratio.toFixed(2)}`;
  return aim === null ? times : `${times}  aim ${aim.toFixed(2)} ${met ? "met" : "MISSED"}`;
}
