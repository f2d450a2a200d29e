/**
 * How many of something a test uses: `few` in `npm test`, `whole` (a worst-case load) with `STRESS=whole npm test --
 * stress`.
 */
export function atScale(few: number, whole: number): number {
  return process.env.STRESS === "whole" ? whole : few;
}
