/** The site's logo: a fruit that is a lantern. An external file, so that no page contains the drawing twice. */
export function SiteMark() {
  return <img src="/favicon.svg" alt="" width="36" height="36" fetchPriority="high" />;
}
