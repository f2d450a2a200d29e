/** Runs heavy work after the next paint, so that what was pressed answers first. */
export function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work));
}
