/** Lower-case letters, digits and hyphens, for items and categories alike. */
export const SLUG_PATTERN = /^[a-z0-9-]+$/;

/**
 * The default slug of an item or category: the name in lower case, with every run of characters other than letters and
 * digits replaced by one hyphen, trimmed (P26). Accents are dropped first, because a slug holds only a-z and 0-9. Empty
 * if the name contains no such character.
 */
export function defaultSlug(name: string, max: number): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").slice(0, max + 1);
  return slug.replace(/^-/, "").slice(0, max).replace(/-$/, "");
}
