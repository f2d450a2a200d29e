/** HTML that our own server rendered from escaped data; not hydrated. */
export function FinishedHtml({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: renderToStaticMarkup wrote it, nothing in it is anybody's markup
  return <div dangerouslySetInnerHTML={{ __html: html }} />;
}
