const PRELOAD = /<link rel="(modulepreload|preload" as="image)"[^>]*>/g;

/**
 * Puts what the first paint needs first in a document's head: styles and the font. React writes preloads before them,
 * and a browser with six connections would fetch those first. Scripts follow with low priority and in reverse order:
 * the chunks that every page loads first are most of their bytes, and would compete with the styles. Images are in the
 * document, where browsers find them just as early.
 */
export function orderHead(html: string): string {
  const end = html.indexOf("</head>");
  const head = html.slice(0, end);
  const scripts = [...head.matchAll(PRELOAD)]
    .filter(([, kind]) => kind === "modulepreload")
    .map(([link]) => link.replace(' rel="modulepreload"', ' rel="modulepreload" fetchpriority="low"'))
    .reverse();
  return head.replace(PRELOAD, "") + scripts.join("") + html.slice(end);
}
