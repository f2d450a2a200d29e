/**
 * What an ad may do, wherever its document is opened (P16 and P39): run scripts and open windows in an opaque origin,
 * without access to storage, cookies or the surrounding page. It may load anything, since the document holds nothing to
 * protect; only our own pages may frame it.
 */
export const AD_POLICY = [
  "sandbox allow-scripts allow-popups",
  "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/**
 * Opened as a page, an ad could read the address's fragment, which may contain a session, since mailed links write one
 * there and may lead to any of our paths. So outside of a frame nothing after this script is parsed.
 */
const ONLY_IN_A_FRAME = "<script>if (self === top) stop();</script>";

/**
 * An image that fails to load is removed instead of showing the browser's broken-image icon; if nothing else is
 * visible, the placeholder appears. The ad's own code may still replace the image.
 */
const WITHOUT_LOST_PICTURES = `<script>{
const lost = "data-lost";
const placeholder = document.createElement("div");
placeholder.dataset.placeholder = "";
placeholder.innerHTML = "<div><b>Advertisement</b><br>Your ad space here</div>";
const isSeen = (each) => each.tagName !== "IMG" || (!each.hasAttribute(lost) && !(each.complete && each.offsetWidth < 2));
const isEmpty = () => document.querySelector("[" + lost + "]") && !document.body.innerText.trim()
  && ![...document.body.querySelectorAll("img,iframe,video,canvas,svg,object,embed")].some(isSeen);
const follow = ({ type, target }) => {
  if (!(target instanceof HTMLImageElement)) return;
  target.toggleAttribute(lost, type === "error");
  placeholder.remove();
  if (document.body && isEmpty()) document.documentElement.append(placeholder);
};
document.addEventListener("error", follow, true);
document.addEventListener("load", follow, true);
}</script>
<style>img[data-lost]{visibility:hidden!important;position:absolute!important}
html:has(>[data-placeholder]) body{visibility:hidden}
[data-placeholder]{position:fixed;inset:0;display:grid;place-content:center;text-align:center;border:1px dashed #8a8f98;border-radius:6px;background:#f3f4f6;color:#4b5563}</style>`;

/**
 * Wraps the stored HTML in a document: on white, which ads are designed for, without margins or scroll bars. Content
 * lower than the slot, such as a wide image on a phone, is centered.
 */
export function adDocument(code: string): string {
  return `<!doctype html>
<html lang="en">
<head>
${ONLY_IN_A_FRAME}
${WITHOUT_LOST_PICTURES}
<meta charset="utf-8">
<title>Advertisement</title>
<meta name="robots" content="noindex">
<style>html{color-scheme:light;background:#fff;color:#000;font:14px/1.4 system-ui,sans-serif;overflow:hidden}body{margin:0;min-height:100vh;align-content:safe center}img{max-width:100%;height:auto}</style>
</head>
<body>
${code}
</body>
</html>
`;
}

/** A document that replaces itself, once, with the one that the surrounding page sends; the policy stays. */
export const PREVIEW_DOCUMENT = adDocument(
  "<script>addEventListener('message', (event) => { if (event.source !== parent) return; document.open(); document.write(event.data); document.close(); });</script>",
);
