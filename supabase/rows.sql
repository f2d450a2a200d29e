-- Seed rows that ship with the schema. A schema diff does not see rows, so `npm run schema` appends this file to the
-- migration whenever applying it would change something. Statements must therefore be idempotent: they add missing rows
-- and keep what users changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- Words of the catalogue and words added by admins; the languages are loaded from supabase/vocabularies.
insert into private.vocabularies (language, checksum) values ('items', ''), ('site', '') on conflict do nothing;

-- The four ad slots: admins fill and enable them.
insert into public.ads (placement)
values ('values_grid'), ('detail_header'), ('detail_content'), ('detail_sidebar')
on conflict do nothing;

-- The standard fields of the item form.
insert into public.field_definitions (display_order, name, label, type, required, options)
values
  (1, 'name', 'Name', 'text', true, '{}'),
  (2, 'slug', 'Slug', 'text', false, '{}'),
  (3, 'category_id', 'Category', 'select', true, '{}'),
  (4, 'rarity', 'Rarity', 'select', false, '{common,uncommon,rare,legendary,mythical}'),
  (5, 'type', 'Type', 'select', false, '{fruit,gamepass,item,material,weapon,accessory}'),
  (6, 'demand', 'Demand', 'select', false, '{low,medium,high,very_high}'),
  (7, 'current_value', 'Current Value', 'text', false, '{}'),
  (8, 'previous_value', 'Previous Value', 'text', false, '{}')
on conflict do nothing;

-- Item pictures. The bucket is public: anyone with the URL can see a picture. Only admins list, add, replace and delete
-- pictures.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}'),
  -- Pictures that only archived items have; triggers move them here and back.
  ('archived-images', 'archived-images', false, 5242880, '{image/jpeg,image/png,image/webp,image/gif}'),
  -- Users' pictures that a moderator approved; anyone with the URL can see one. Each upload gets a new random name, so
  -- that no cache shows the old picture. Pending uploads are visible only to their owner and moderators.
  ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}'),
  ('avatar-uploads', 'avatar-uploads', false, 1048576, '{image/jpeg,image/png,image/webp}'),
  -- Evidence pictures of value changes, up to screenshot size: approved ones and pending uploads.
  ('change-pictures', 'change-pictures', true, 2097152, '{image/jpeg,image/png,image/webp}'),
  ('change-uploads', 'change-uploads', false, 2097152, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Every account needs a profile, including accounts that predate the site.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users
where not exists (select from public.profiles where profiles.id = users.id);

-- Quick-talk phrases.
insert into public.quick_phrases (theme, place, id, phrase) values
  ('offer', 1, 'trading-for', 'Trading {item} for {item}'),
  ('offer', 2, 'trading', 'Trading {item}'),
  ('offer', 3, 'i-have', 'I have {item}'),
  ('offer', 4, 'looking-for', 'Looking for {item}'),
  ('offer', 5, 'two-for', 'My {item} and {item} for your {item}?'),
  ('offer', 6, 'i-can-add', 'I can add {item}'),
  ('offer', 7, 'send-offers', 'Send me your offers'),
  ('offer', 8, 'not-trading', 'I am not trading {item}'),
  ('ask', 1, 'is-this-fair', 'Is this fair?'),
  ('ask', 2, 'adds', 'Adds?'),
  ('ask', 3, 'looking-for-what', 'What are you looking for?'),
  ('ask', 4, 'have-what', 'What do you have?'),
  ('ask', 5, 'do-you-have', 'Do you have {item}?'),
  ('ask', 6, 'can-you-add', 'Can you add {item}?'),
  ('ask', 7, 'worth', 'What is {item} worth?'),
  ('ask', 8, 'still-there', 'Is it still there?'),
  ('ask', 9, 'win-or-loss', 'Win, fair or loss?'),
  ('answer', 1, 'deal', 'Deal!'),
  ('answer', 2, 'no-thanks', 'No thanks'),
  ('answer', 3, 'yes', 'Yes'),
  ('answer', 4, 'no', 'No'),
  ('answer', 5, 'maybe-later', 'Maybe later'),
  ('answer', 6, 'too-low', 'Too low'),
  ('answer', 7, 'fair', 'That is fair'),
  ('answer', 8, 'good-offer', 'Good offer!'),
  ('answer', 9, 'let-me-think', 'Let me think'),
  ('answer', 10, 'traded-already', 'I traded it already'),
  ('hello', 1, 'hello', 'Hello!'),
  ('hello', 2, 'good-luck', 'Good luck!'),
  ('hello', 3, 'thanks', 'Thank you!'),
  ('hello', 4, 'nice-trade', 'Nice trade!'),
  ('hello', 5, 'welcome', 'You are welcome'),
  ('hello', 6, 'sorry', 'Sorry'),
  ('hello', 7, 'wait', 'One moment, please'),
  ('hello', 8, 'bye', 'Bye!')
on conflict do nothing;

-- Reasons for value changes.
insert into public.value_reasons (place, code, label, is_offered) values
  (1, 'trades_seen', 'Trades were seen at this value', true),
  (2, 'demand_moved', 'More or fewer people want it', true),
  (3, 'game_update', 'The game was updated', true),
  (4, 'correction', 'A mistake was corrected', true),
  (5, 'still_right', 'Looked at and still right', true),
  (6, 'other', 'Another reason', true),
  (7, 'undo', 'A change was taken back', false)
on conflict do nothing;

-- Players' words for market status.
insert into public.status_words (place, word) values
  (1, 'stable'),
  (2, 'rising'),
  (3, 'dropping'),
  (4, 'overpaid'),
  (5, 'hyped')
on conflict do nothing;
