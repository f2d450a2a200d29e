/**
 * Anybody may have uploaded this, and it is served from the site's own host: it must never run there, nor dress its
 * pages. Types that a browser would take as a script, a style, a module or a page are not named; it is what its type says
 * and nothing a browser guesses, it runs without scripts and in an origin of its own, and what a browser would open as a
 * document is offered to be saved.
 */
export function safeHeaders(mimetype: string): Record<string, string> {
  return {
    "content-type": inertType(mimetype),
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
    "x-robots-tag": "none",
  };
}

/** What browsers show, play, or leave alone. Whatever is not here, known or yet to come, goes under a name that says nothing. */
const INERT =
  /^(?:(?:image|audio|video|font)\/[\w.+-]+|text\/(?:plain|csv|markdown|calendar|vcard|vtt|xml)|application\/(?:json|xml|(?:rss|atom|geo|ld)\+(?:xml|json)|pdf|rtf|octet-stream|zip|gzip|x-(?:tar|bzip2|7z-compressed)|msword|(?:vnd\.(?:ms-|openxmlformats-|oasis\.)[\w.+-]+)))$/;

function inertType(mimetype: string): string {
  const essence = (mimetype.split(";", 1)[0] as string).trim().toLowerCase();
  if (INERT.test(essence)) return mimetype;
  return essence.startsWith("text/") ? "text/plain; charset=utf-8" : "application/octet-stream";
}

const HARMLESS = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain\b|application\/json\b)/i;

/** `?download` offers to save under the object's own name, `?download=name` under another. */
export function disposition(
  download: string | null,
  objectName: string,
  mimetype: string,
): Record<string, string> {
  if (download === null && (HARMLESS.test(mimetype) || isMarkup(mimetype))) return {};
  const name = download || (objectName.split("/").at(-1) as string);
  return { "content-disposition": `attachment; ${fileNames(name)}` };
}

/** As the hosted service has it: pages are shown as the text they are. */
function isMarkup(mimetype: string): boolean {
  return /^text\/html\b/i.test(mimetype);
}

/** RFC 6266 and 8187: for every browser, and with all characters for those that know how. */
function fileNames(name: string): string {
  const clean = name.replace(/\p{Cc}|[/\\]/gu, "_").toWellFormed();
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, "_");
  const encoded = encodeURIComponent(clean).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
