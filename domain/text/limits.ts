import { COLUMN_LIMITS } from "./column-limits.ts";

const {
  ads,
  categories,
  chat_messages,
  chat_silences,
  contact_messages,
  field_definitions,
  items,
  user_ratings,
} = COLUMN_LIMITS;

/** Slots on each side of the calculator. */
export const SLOTS_PER_SIDE = 9;
/** Cards between two ads of the values grid. */
export const AD_AFTER_EVERY = 8;
/** Characters of an item's slug. */
export const ITEM_SLUG_MAX = items.slug;

/**
 * The limits of 9.limits.01–05. Both ends are allowed; lengths count Unicode code points (P32). Those of the database's
 * columns come from its schema. What pages need alone stands alone, so that it does not bring the rest to the browser.
 */
export const LIMITS = {
  item: {
    name: { min: 1, max: items.name },
    slug: { min: 1, max: ITEM_SLUG_MAX },
    aliases: { max: items.aliases },
    valueText: { min: 1, max: items.current_value },
  },
  category: {
    name: { min: 1, max: categories.name },
    slug: { min: 1, max: categories.slug },
    icon: { max: categories.icon },
    displayOrder: { min: 0, max: 9999 },
  },
  customField: { name: { min: 1, max: field_definitions.label }, options: { max: 100, maxLength: 5000 } },
  image: { maxBytes: 5 * 1024 * 1024, types: ["image/jpeg", "image/png", "image/webp", "image/gif"] },
  avatar: { maxBytes: 1024 * 1024, types: ["image/jpeg", "image/png", "image/webp"], sidePixels: 256 },
  signUp: { email: { max: 255 }, password: { min: 12, max: 128 } },
  username: { min: 3, max: 20, changesPerDay: 3 },
  chat: { message: { min: 1, max: chat_messages.message }, history: 100, perWindow: 5, windowSeconds: 10 },
  adCode: { max: ads.ad_code },
  silence: { reason: { min: 1, max: chat_silences.reason } },
  contact: {
    name: { min: 1, max: contact_messages.name },
    email: { max: contact_messages.email },
    subject: { min: 1, max: contact_messages.subject },
    message: { min: 1, max: contact_messages.message },
  },
  rating: {
    stars: { min: 1, max: 5, initial: 5 },
    comment: { max: user_ratings.comment },
    perDay: 30,
  },
} as const;

/** Lower-case letters, digits and hyphens, of items and categories alike. */
export const SLUG_PATTERN = /^[a-z0-9-]+$/;

/** The length that the limits count: Unicode code points, as the database's `char_length` does. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
