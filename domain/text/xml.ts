/** Characters that no XML document may contain, even escaped: one in an editor's note would make a whole feed unreadable. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** Escapes a text for an XML element or attribute. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
