/** How many of something a test uses: few in `npm test`; `STRESS=whole npm test -- stress` takes as many as a bad day has. */
export function atScale(few: number, whole: number): number {
  return process.env.STRESS === "whole" ? whole : few;
}
