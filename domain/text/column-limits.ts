// Written by `npm run schema` from the check constraints of supabase/schemas.

/** The most characters of each text column that has such a limit. */
export const COLUMN_LIMITS = {
  ads: { ad_code: 20000 },
  appeals: { answer: 500, message: 1000 },
  case_notes: { note: 1000 },
  categories: { icon: 10, name: 50, slug: 50 },
  chat_messages: { message: 1000 },
  chat_silences: { reason: 200 },
  contact_messages: { email: 255, message: 2000, name: 100, subject: 200 },
  field_definitions: { label: 50 },
  item_value_changes: { reason: 200 },
  items: {
    aliases: 300,
    beli_price: 20,
    change_reason: 200,
    current_value: 20,
    image_url: 2048,
    name: 100,
    permanent_previous_value: 20,
    permanent_value: 20,
    previous_value: 20,
    robux_price: 20,
    slug: 100,
  },
  profiles: { avatar_url: 2048 },
  quick_phrases: { phrase: 80 },
  reports: { reason: 500 },
  sanctions: { reason: 200 },
  trade_history: { trade_partner_email: 255 },
  user_ratings: { answer: 500, comment: 500 },
} as const;
