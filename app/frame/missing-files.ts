/** The build's loader tells of a part of the page that it did not get. Of a route React Router loads the page anew itself. */
const MISSED = "vite:preloadError";
/** Who came so lately got what there is: another load would bring no more, and the next one neither. */
const LATELY_MS = 60_000;

let hasTyped = false;

/**
 * A page that was open over so many upgrades that its files are gone is loaded anew by itself; never where somebody has
 * typed, nor where the site cannot be reached.
 */
function loadAnew(): void {
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
  addEventListener(MISSED, loadAnew);
}
