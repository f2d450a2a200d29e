/**
 * Tells the page's styles how high the strip at the foot of a phone's window is, so that the page ends above it; until
 * the scripts run, they take it to be as high as it usually is. A ref of the strip.
 */
export function tellHeight(strip: HTMLElement | null) {
  const root = document.documentElement.style;
  const watcher = new ResizeObserver(() => root.setProperty("--strip-height", `${strip?.offsetHeight}px`));
  if (strip) watcher.observe(strip);
  return () => {
    watcher.disconnect();
    root.removeProperty("--strip-height");
  };
}
