/** Whether a link can be a change's evidence. The database knows the form of an address, but cannot read it. */
export function isEvidence(link: string): boolean {
  return /^https:\/\/[^\s<>"]+$/.test(link) && evidenceHost(link) !== null;
}

/** The site that a link leads to; null if it leads nowhere, such as `https://[`. */
export function evidenceHost(link: string): string | null {
  return URL.canParse(link) ? new URL(link).hostname : null;
}
