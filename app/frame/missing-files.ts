/** Vite's event for a chunk that failed to load. For routes, React Router reloads the page itself. */
const MISSED = "vite:preloadError";
/** A page loaded this recently is up to date: reloading would not help, and could repeat forever. */
const LATELY_MS = 60_000;

let hasTyped = false;
let last: string | undefined;

/**
 * Reloads a page so old that its files are gone, unless something was typed or the site cannot be reached. Also one that
 * fails to load the same file again although it is there: many browsers do not request a failed module a second time.
 */
function reloadPage({ payload: { message } }: VitePreloadErrorEvent): void {
  const isOld = performance.now() > LATELY_MS;
  // The message ends with the file's address.
  const url = isOld ? "/livez" : message === last && message.split(" ").pop();
  last = message;
  if (url && !hasTyped)
    fetch(url).then(
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
