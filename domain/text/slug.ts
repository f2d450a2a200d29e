/** Lower-case letters, digits and hyphens, of items and categories alike. */
export const SLUG_PATTERN = /^[a-z0-9-]+$/;

/**
 * The slug an item or category gets when none was typed: the name in lower case, every run of anything but letters
 * and digits as one hyphen, trimmed (P26). Accents are dropped first, because a slug holds only a-z and 0-9.
 * May be empty, for a name without any such letter.
 */
export function defaultSlug(name: string, max: number): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain.replace(/[^a-z0-9]+/g, "-").slice(0, max + 1);
  return slug.replace(/^-/, "").slice(0, max).replace(/-$/, "");
}
