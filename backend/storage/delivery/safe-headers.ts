import { essenceOf } from "#backend/http/media-type.ts";

/**
 * Headers for untrusted uploads served from the site's own host, which must never run there or be used by its pages.
 * Types that a browser would load as a script, style, module or page are replaced by inert ones; sniffing is off; a
 * sandbox CSP blocks scripts and gives the document an opaque origin; and what a browser would open as a document is
 * offered as a download.
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

/**
 * Types that browsers only display, play or download. All others, including future ones, are served as a generic type.
 */
const INERT =
  /^(?:(?:image|audio|video|font)\/[\w.+-]+|text\/(?:plain|csv|markdown|calendar|vcard|vtt|xml)|application\/(?:json|xml|(?:rss|atom|geo|ld)\+(?:xml|json)|pdf|rtf|octet-stream|zip|gzip|x-(?:tar|bzip2|7z-compressed)|msword|(?:vnd\.(?:ms-|openxmlformats-|oasis\.)[\w.+-]+)))$/;

function inertType(mimetype: string): string {
  const essence = essenceOf(mimetype);
  if (INERT.test(essence)) return mimetype;
  return essence.startsWith("text/") ? "text/plain; charset=utf-8" : "application/octet-stream";
}

const HARMLESS = /^(?:image\/(?!svg)|audio\/|video\/|text\/plain\b|application\/json\b)/i;

/** `?download` saves under the object's own name, `?download=name` under another. */
export function disposition(
  download: string | null,
  objectName: string,
  mimetype: string,
): Record<string, string> {
  if (download === null && (HARMLESS.test(mimetype) || isMarkup(mimetype))) return {};
  const name = download || (objectName.split("/").at(-1) as string);
  return { "content-disposition": `attachment; ${fileNames(name)}` };
}

/** Like the hosted service: HTML is shown as plain text. */
function isMarkup(mimetype: string): boolean {
  return /^text\/html\b/i.test(mimetype);
}

/** RFC 6266 and 8187: an ASCII name for all browsers, and the full one for those that support `filename*`. */
function fileNames(name: string): string {
  const clean = name.replace(/\p{Cc}|[/\\]/gu, "_").toWellFormed();
  const ascii = clean.replace(/[^\x20-\x7e]|["%]/g, "_");
  const encoded = encodeURIComponent(clean).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  );
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
