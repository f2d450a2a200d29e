import { COLUMN_LIMITS } from "./column-limits.ts";

const {
  ads,
  appeals,
  case_notes,
  categories,
  chat_messages,
  contact_messages,
  field_definitions,
  items,
  sanctions,
  user_ratings,
} = COLUMN_LIMITS;

/**
 * The limits of 9.limits.01–05. Both ends are inclusive; lengths count Unicode code points (P32). Limits of database
 * columns come from the schema. For forms and their rules: limits that public pages need are defined with their
 * subjects.
 */
export const LIMITS = {
  item: {
    name: { min: 1, max: items.name },
    slug: { min: 1, max: items.slug },
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
  changePicture: {
    maxBytes: 2 * 1024 * 1024,
    types: ["image/jpeg", "image/png", "image/webp"],
    sidePixels: 1600,
  },
  signUp: { email: { max: 255 }, password: { min: 12, max: 128 } },
  username: { min: 3, max: 20 },
  chat: { message: { min: 1, max: chat_messages.message }, history: 100, perWindow: 5, windowSeconds: 10 },
  adCode: { max: ads.ad_code },
  caseNote: { max: case_notes.note },
  appeal: { message: { min: 1, max: appeals.message } },
  sanction: { reason: { min: 1, max: sanctions.reason } },
  contact: {
    name: { min: 1, max: contact_messages.name },
    email: { max: contact_messages.email },
    subject: { min: 1, max: contact_messages.subject },
    message: { min: 1, max: contact_messages.message },
  },
  rating: { stars: { min: 1, max: 5, initial: 5 }, comment: { max: user_ratings.comment } },
} as const;

/** Length in Unicode code points, as counted by the limits and the database's `char_length`. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}
