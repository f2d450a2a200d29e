/** The site's mark: a fruit that is a lantern, its leaf a sail. A file, so that no page carries the drawing twice. */
export function SiteMark() {
  return <img src="/favicon.svg" alt="" width="36" height="36" fetchPriority="high" />;
}
