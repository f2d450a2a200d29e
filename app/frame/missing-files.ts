/** Vite's event for a chunk that failed to load. For routes, React Router reloads the page itself. */
const MISSED = "vite:preloadError";
/** A page loaded this recently is up to date: reloading would not help, and could repeat forever. */
const LATELY_MS = 60_000;

let hasTyped = false;

/** Reloads a page so old that its files are gone, unless something was typed or the site cannot be reached. */
function reloadPage(): void {
  if (hasTyped || performance.now() < LATELY_MS) return;
  fetch("/livez").then(
    ({ ok }) => ok && !hasTyped && location.reload(),
    () => {},
  );
}

if (!import.meta.env.SSR) {
  addEventListener("input", () => {
    hasTyped = true;
  });
  addEventListener(MISSED, reloadPage);
}
