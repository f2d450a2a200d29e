-- Status words: how players describe an item's trend besides its demand. Editors choose from this list; admins
-- maintain it.
create table public.status_words (
  word text not null primary key
    constraint status_words_word_has_1_to_20_characters check (char_length(word) <= 20)
    constraint status_words_word_is_lowercase_letters_and_spaces check (word ~ '^[a-z]+( [a-z]+)*$'),
  place integer not null default 0 constraint status_words_place_is_0_to_9999 check (place between 0 and 9999)
);
comment on table public.status_words is 'Words for an item''s market status, in display order.';

alter table public.status_words enable row level security;
create policy "Everybody sees status words" on public.status_words
  for select to anon, authenticated
  using (true);

create policy "Admins add status words" on public.status_words
  for insert to authenticated
  with check ((select private.is_admin()));

create policy "Admins change status words" on public.status_words
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy "Admins delete status words" on public.status_words
  for delete to authenticated
  using ((select private.is_admin()));

grant select on table public.status_words to anon, authenticated;
grant insert (word, place), update (word, place), delete on table public.status_words to authenticated;
