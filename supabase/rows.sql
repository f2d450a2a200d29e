-- Rows that the product needs and nobody types in: they come with the schema, into a fresh database and a hosted one.
-- A schema diff does not see rows, so `npm run schema` adds this file to the migration it writes whenever applying it
-- would change something. Each statement may therefore run again: it adds what is missing and leaves what people changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- What the word filter looks for: a part anywhere in a word, a word with its endings, a phrase word by word.
insert into private.blocked_words (kind, word)
select kind, regexp_split_to_table(words, '\s+')
from (values
  ('part', 'fuck nigger nigga faggot bitch whore slut asshole porn motherf dickhead blowjob handjob shithead bullshit'),
  ('word', 'shit shitty cunt dick cock pussy penis vagina dildo cum jizz wank wanker twat bastard boob tit titty rape rapist'),
  ('word', 'raping sex sexy nude nudes horny hentai pedo paedo pedophile molest fag tranny dyke kike chink spic'),
  ('word', 'gook paki wetback beaner coon retard retarded nazi hitler kkk kys milf orgasm masturbate hooker stfu'),
  ('part', 'phuck fvck niqqa'),
  ('word', 'fuk fck fxck cnut pron nudez retart niglet erp')
) as list (kind, words)
on conflict do nothing;

insert into private.blocked_words (kind, word) values
  ('phrase', 'kill yourself'), ('phrase', 'kill your self'), ('phrase', 'hang yourself'), ('phrase', 'go die'),
  ('phrase', 'heil hitler'), ('phrase', 'send nudes'), ('phrase', 'sieg heil'),
  ('phrase', 'kill urself'), ('phrase', 'kill ur self'), ('phrase', 'unalive yourself'), ('phrase', 'unalive urself'),
  ('phrase', 'hang urself'), ('phrase', 'end your life'), ('phrase', 'end ur life'), ('phrase', 'send nood'),
  ('phrase', 'send noods'), ('phrase', 'send feet'), ('phrase', 'send pic of you'), ('phrase', 'send pic of u'),
  ('phrase', 'send pics of you'), ('phrase', 'send pics of u'), ('phrase', 'send a pic of you')
on conflict do nothing;

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

-- Pictures of items. The bucket is public: whoever has a picture's address sees it. Only admins list, add, replace and
-- remove pictures.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Pictures of people. Whoever has a picture's address sees it; each person keeps only their own, in a folder named by
-- their id. The name of a picture says nothing: it is made anew for each, so that no cache shows the old one.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Accounts that were there before the site was: every account has a profile.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users
where not exists (select from public.profiles where profiles.id = users.id);
