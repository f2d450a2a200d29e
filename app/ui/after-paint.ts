/** Runs heavy work after the next paint, so that a press gets its response first. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
