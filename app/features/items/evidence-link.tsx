type EvidenceProps = {
  href: string | null;
  /** A file that a second person approved. */
  picture: string | null;
  item: string;
};

/** Links to a change's evidence, if there is any: an external link, which nobody vouches for, or a picture. */
export function EvidenceLink({ href, picture, item }: EvidenceProps) {
  const host = href && evidenceHost(href);
  return (
    <>
      {href && host && (
        <a href={href} className="link" rel="nofollow ugc noopener" target="_blank">
          Evidence
          <span className="sr-only">
            {" "}
            for {item}, on {host}
          </span>
        </a>
      )}
      {picture !== null && (
        <EvidencePicture address={addressOfPicture(picture)} alt={`Evidence for ${item}, in full size`} />
      )}
    </>
  );
}

/** A screenshot thumbnail that links to its full size. */
export function EvidencePicture({ address, alt }: { address: string; alt: string }) {
  return (
    <a href={address} className="mt-1 block w-fit" target="_blank" rel="noopener">
      <img
        src={address}
        alt={alt}
        width={96}
        height={64}
        className="h-16 w-24 rounded-md object-cover"
        loading="lazy"
        decoding="async"
      />
    </a>
  );
}

/** The public address of a change's picture. */
export function addressOfPicture(name: string): string {
  return `/storage/v1/object/public/change-pictures/${name}`;
}

/** The site that a link leads to; null if it leads nowhere, such as `https://[`. */
export function evidenceHost(link: string): string | null {
  return URL.canParse(link) ? new URL(link).hostname : null;
}
