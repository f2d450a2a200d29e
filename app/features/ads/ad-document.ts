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

/** A document around the stored HTML; on white, as ads are drawn for, and without margins or scroll bars. */
export function adDocument(code: string): string {
  return `<!doctype html>
<html lang="en">
<head>
${ONLY_IN_A_FRAME}
<meta charset="utf-8">
<title>Advertisement</title>
<meta name="robots" content="noindex">
<style>html{color-scheme:light;background:#fff;color:#000;font:14px/1.4 system-ui,sans-serif;overflow:hidden}body{margin:0}img{max-width:100%;height:auto}</style>
</head>
<body>
${code}
</body>
</html>
`;
}
