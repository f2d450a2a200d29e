/** Slots on each side of the calculator. */
export const SLOTS_PER_SIDE = 9;
/** Cards between two ads of the values grid. */
export const AD_AFTER_EVERY = 8;
/** Characters of an item's slug. */
export const ITEM_SLUG_MAX = 100;

/**
 * Every limit of specification §5 and §9. Both ends are still allowed; lengths count Unicode code points
 * (decision 32). What pages need alone stands alone, so that it does not bring the rest to the browser. The database's check constraints hold the same numbers, tied to these by a test.
 */
export const LIMITS = {
  item: { name: { min: 1, max: 100 }, slug: { min: 1, max: ITEM_SLUG_MAX }, valueText: { min: 1, max: 20 } },
  category: {
    name: { min: 1, max: 50 },
    slug: { min: 1, max: 50 },
    icon: { max: 10 },
    displayOrder: { min: 0, max: 9999 },
  },
  customField: { name: { min: 1, max: 50 }, options: { max: 100, maxLength: 5000 } },
  image: { maxBytes: 5 * 1024 * 1024, types: ["image/jpeg", "image/png", "image/webp", "image/gif"] },
  avatar: { maxBytes: 1024 * 1024, types: ["image/jpeg", "image/png", "image/webp"], sidePixels: 256 },
  signUp: { email: { max: 255 }, password: { min: 12, max: 128 } },
  username: { min: 3, max: 20, changesPerDay: 3 },
  chat: { message: { min: 1, max: 1000 }, history: 100, perWindow: 5, windowSeconds: 10 },
  adCode: { max: 20_000 },
  silence: { reason: { min: 1, max: 200 } },
  contact: {
    name: { min: 1, max: 100 },
    email: { max: 255 },
    subject: { min: 1, max: 200 },
    message: { min: 1, max: 2000 },
  },
  rating: { stars: { min: 1, max: 5, initial: 5 }, comment: { max: 500 }, recent: 3, perDay: 30 },
  calculator: { slotsPerSide: SLOTS_PER_SIDE },
  values: { adAfterEvery: AD_AFTER_EVERY },
} as const;

/** Lower-case letters, digits and hyphens, of items and categories alike. */
export const SLUG_PATTERN = /^[a-z0-9-]+$/;

/** The length that the limits count: Unicode code points, as the database's `char_length` does. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
