/** Leads to what a change of a value rests on, where there is a link; it leads elsewhere, and nobody vouches for it. */
export function EvidenceLink({ href, item }: { href: string | null; item: string }) {
  if (href === null) return null;
  return (
    <a href={href} className="link" rel="nofollow ugc noopener" target="_blank">
      Evidence
      <span className="sr-only">
        {" "}
        for {item}, on {new URL(href).hostname}
      </span>
    </a>
  );
}
