import type { ReactNode } from "react";

type EvidenceProps = {
  href: string | null;
  /** A file that a second person approved. */
  picture: string | null;
  item: string;
};

type OutsideEvidenceProps = { href: string | null; children: (host: string) => ReactNode };

/** A link to another site; nothing if there is none, or no browser can read it, such as `https://[`. */
export function OutsideEvidence({ href, children }: OutsideEvidenceProps) {
  if (!href || !URL.canParse(href)) return null;
  return (
    <a href={href} className="link" rel="nofollow ugc noopener" target="_blank">
      {children(new URL(href).hostname)}
    </a>
  );
}

/** Links to a change's evidence, if there is any: an external link, which nobody vouches for, or a picture. */
export function EvidenceLink({ href, picture, item }: EvidenceProps) {
  return (
    <>
      <OutsideEvidence href={href}>
        {(host) => (
          <>
            Evidence
            <span className="sr-only">
              {" "}
              for {item}, on {host}
            </span>
          </>
        )}
      </OutsideEvidence>
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
