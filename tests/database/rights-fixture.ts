import { ADD_EDITOR, ADD_MODERATOR, OWNERS } from "#tests/helpers/people.ts";
import { ITEM, MESSAGE, MUTED, NEWCOMER, SANCTIONS, TRADE } from "./rights-matrix.ts";

const { Ana, Ben, Eve, Mia, Ned, Guest } = OWNERS;

/** At least one row of each person in every table with owners, and two rows in the others. */
export const FIXTURE = `
  delete from public.items;
  delete from public.categories;
  insert into public.categories (slug, name) values ('one', 'One'), ('two', 'Two');
  insert into public.items (id, slug, name, current_value) values
    ('${ITEM}', 'item-one', 'Item One', '5M'),
    ('10000000-0000-4000-8000-000000000002', 'item-two', 'Item Two', '7M');
  insert into public.former_slugs (slug, item_id) values ('old-one', '${ITEM}'), ('older-one', '${ITEM}');
  insert into public.item_demand_changes (item_id, kind, new_word) values ('${ITEM}', 'demand', 'low'), ('${ITEM}', 'status', 'hyped');
  insert into public.item_value_checks (item_id, checked_by) values ('${ITEM}', '${Eve.id}');
  insert into public.game_updates (id, name) values ('${ITEM}', 'Update 26'), ('${MUTED}', 'Update 25');
  insert into public.game_update_items (update_id, item_id) select '${MUTED}', id from public.items limit 2;
  insert into public.item_imports (id, rows) values ('${ITEM}', '[]'), ('${MUTED}', '[]');
  insert into public.page_configurations (page_name) values ('values'), ('calculator');
  delete from public.ads where placement = 'detail_sidebar';
  delete from public.field_definitions;
  insert into public.field_definitions (name, label) values ('rarity', 'Rarity'), ('custom_one', 'One'), ('custom_two', 'Two');
  insert into public.contact_messages (name, email, subject, message) values ('Ana', 'a@example.org', 'Hi', 'Hello');

  insert into auth.users (id, email) values
    ('${NEWCOMER}', 'newcomer@example.org'), ('${MUTED}', 'muted@example.org');
  delete from public.profiles where id = '${NEWCOMER}';
  delete from public.age_bands where user_id = '${MUTED}';
  ${ADD_MODERATOR}
  ${ADD_EDITOR}
  -- With everything that others have, as if it had got past the rules: those must hold all the same.
  insert into auth.users (id, is_anonymous) values ('${Guest.id}', true);
  update public.profiles set listed = id = '${Guest.id}' where id in ('${Guest.id}', '${MUTED}');
  insert into public.age_bands (user_id, band) values ('${Guest.id}', '18-or-older');

  insert into public.chat_messages (id, user_id, message) values
    ('${MESSAGE.Ana}', '${Ana.id}', 'from a trader'), ('${MESSAGE.Ben}', '${Ben.id}', 'from a trader'),
    ('${MESSAGE.Eve}', '${Eve.id}', 'from a trader'), ('${MESSAGE.Mia}', '${Mia.id}', 'from a trader'),
    ('${MESSAGE.Ned}', '${Ned.id}', 'from a trader'), ('${MESSAGE.Guest}', '${Guest.id}', 'from nobody');
  insert into public.chat_reactions (message_id, user_id, emoji) values
    ('${MESSAGE.Ben}', '${Ana.id}', '👍'), ('${MESSAGE.Ben}', '${Ben.id}', '👍'), ('${MESSAGE.Ben}', '${Eve.id}', '👍'),
    ('${MESSAGE.Ben}', '${Mia.id}', '👍'), ('${MESSAGE.Ben}', '${Ned.id}', '👍'), ('${MESSAGE.Ben}', '${Guest.id}', '👍');
  insert into public.chat_reports (message_id, reporter_id) values
    ('${MESSAGE.Ben}', '${Ana.id}'), ('${MESSAGE.Ana}', '${Ben.id}'), ('${MESSAGE.Ana}', '${Eve.id}'),
    ('${MESSAGE.Ana}', '${Mia.id}'), ('${MESSAGE.Ana}', '${Ned.id}'), ('${MESSAGE.Ana}', '${Guest.id}'),
    ('${MESSAGE.Eve}', '${MUTED}'), ('${MESSAGE.Mia}', '${MUTED}');
  insert into public.deleted_chat_messages (id, user_id, username, message, created_at, deleted_at)
    select id, '${Ben.id}', 'Ben', 'Taken back', at, at
    from (values ('${NEWCOMER}'::uuid, now()), ('${SANCTIONS.other}', now() - interval '25 hours')) as gone (id, at);
  insert into public.chat_originals (message_id, user_id, message, created_at)
    select id, user_id, 'As it was', deleted_at from public.deleted_chat_messages;
  insert into public.word_requests (word, count) values ('sprog', 2);
  insert into public.user_ratings (rater_id, rated_user_id, rating) values
    ('${Ana.id}', '${Ben.id}', 5), ('${Ben.id}', '${Ana.id}', 4), ('${Eve.id}', '${Ana.id}', 3),
    ('${Mia.id}', '${Ana.id}', 3), ('${Ned.id}', '${Ana.id}', 3), ('${Guest.id}', '${Ana.id}', 2),
    ('${Ben.id}', '${Mia.id}', 1), ('${MUTED}', '${Eve.id}', 1), ('${Guest.id}', '${MUTED}', 1);
  insert into public.trade_history (user_id, your_items, their_items) values
    ('${Ana.id}', '${TRADE}', '${TRADE}'), ('${Ben.id}', '${TRADE}', '${TRADE}'), ('${Eve.id}', '${TRADE}', '${TRADE}'),
    ('${Mia.id}', '${TRADE}', '${TRADE}'), ('${Ned.id}', '${TRADE}', '${TRADE}'), ('${Guest.id}', '${TRADE}', '${TRADE}');
  insert into public.chat_mutes (user_id, muted_user_id) values
    ('${Ana.id}', '${MUTED}'), ('${Ben.id}', '${MUTED}'), ('${Eve.id}', '${MUTED}'),
    ('${Mia.id}', '${MUTED}'), ('${Ned.id}', '${MUTED}'), ('${Guest.id}', '${MUTED}');
  insert into public.chat_silences (user_id, reason, created_at, until)
    select id, 'Rude', '2026-01-01', '2026-01-02' from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Mia.id}', '${Ned.id}', '${Guest.id}');
  insert into public.admin_acts (act, table_name, row_id) values
    ('insert', 'items', '${ITEM}'), ('update', 'reports', '${ITEM}');
  insert into public.case_notes (user_id, author_id, note) values
    ('${MUTED}', '${Eve.id}', 'Seen before'), ('${MUTED}', '${Mia.id}', 'So have I'),
    ('${Mia.id}', '${Eve.id}', 'Too fast'), ('${Eve.id}', '${Mia.id}', 'Too slow');
  insert into public.sanctions (id, user_id, kind, code, reason) values
    ('${SANCTIONS.Ana}', '${Ana.id}', 'picture', 'other', 'Not for everybody'),
    ('${SANCTIONS.Ben}', '${Ben.id}', 'picture', 'other', 'Not for everybody'),
    ('${SANCTIONS.Mia}', '${Mia.id}', 'picture', 'other', 'Not for everybody'),
    ('${SANCTIONS.Guest}', '${Guest.id}', 'picture', 'other', 'Not for everybody'),
    ('${SANCTIONS.other}', '${MUTED}', 'picture', 'other', 'Not for everybody'),
    ('${ITEM}', '${Ana.id}', 'picture', 'other', 'Not for everybody'),
    ('${MESSAGE.Guest}', '${Guest.id}', 'picture', 'other', 'Not for everybody'),
    ('${NEWCOMER}', '${MUTED}', 'picture', 'other', 'Not for everybody');
  -- A sanction ends what was asked about its user.
  insert into public.second_opinions (user_id, asked_by) values
    ('${Guest.id}', '${Eve.id}'), ('${Ned.id}', '${Mia.id}'), ('${Mia.id}', '${Ned.id}'), ('${Eve.id}', '${Ned.id}');
  insert into public.value_sets (name) values ('Update day'), ('Next update day');
  insert into public.value_proposals (item_id, field, new_value, reason_code, state, proposed_by)
    select '${ITEM}', 'demand', 'low', 'other', 'waiting', id from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Ned.id}');
  insert into public.work_skips (editor_id, item_id)
    select id, '${ITEM}' from public.profiles
    where id in ('${Ana.id}', '${Ben.id}', '${Eve.id}', '${Mia.id}', '${Ned.id}', '${Guest.id}');
  insert into public.change_pictures (name) values ('one.webp'), ('two.png');
  insert into public.editor_names (user_id, name) values
    ('${MUTED}', 'LuckyBear200'), ('${Ana.id}', 'LuckyBear300'), ('${Eve.id}', 'LuckyBear400'),
    ('${Mia.id}', 'LuckyBear500'), ('${Ned.id}', 'LuckyBear600');
  update private.settings set site_url = 'https://values.example', stores_contact_messages = true;
  insert into public.notice_mails (user_id) values
    ('${MUTED}'), ('${Ana.id}'), ('${Eve.id}'), ('${Mia.id}'), ('${Ned.id}');
  insert into public.editor_notices (kind, count) values ('stale', 2), ('proposals', 1), ('reports', 1), ('failed_mails', 1);
  insert into public.appeals (sanction_id, message) values
    ('${NEWCOMER}', 'It was a cat'), ('${ITEM}', 'It was a dog'), ('${MESSAGE.Guest}', 'It was me');
`;
