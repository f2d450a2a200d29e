/**
 * What an ad may do, wherever its document is opened (P16 and P39): run scripts and open windows in an opaque
 * origin of its own, without storage, cookies or the page around it. It may load what it likes, because there is
 * nothing in it to protect; only our own pages may frame it.
 */
export const AD_POLICY = [
  "sandbox allow-scripts allow-popups",
  "default-src * data: blob: 'unsafe-inline' 'unsafe-eval'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join("; ");

/** A document that becomes the one that the page around it sends, once; the policy stays. */
export const PREVIEW_DOCUMENT = adDocument(
  "<script>addEventListener('message', (event) => { if (event.source !== parent) return; document.open(); document.write(event.data); document.close(); });</script>",
);

/**
 * As a page of its own an ad could read what stands behind the `#` of the address, and a mailed link, which writes a
 * session there, may lead to any address of ours. So nothing after this is read but in a frame.
 */
const ONLY_IN_A_FRAME = "<script>if (self === top) stop();</script>";

/**
 * A picture that cannot be loaded leaves nothing, rather than the browser's sign for it, and the placeholder where nothing
 * else is to be seen. The ad's own code may put another picture into its place.
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
 * A document around the stored HTML; on white, as ads are drawn for, and without margins or scroll bars. What is lower
 * than the slot, as a wide picture is on a phone, stands in its middle.
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
