-- Nobody keeps more than a few avatars, by whatever way they come: an address for an upload that was signed before acts
-- as the server, whom policies let pass, and of uploads at the same time none sees the others. So a trigger counts, one
-- upload of a person after the other.

create function private.require_few_avatars() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      person constant text := split_part(new.name, '/', 1);
      -- The one that is shown, the one that takes its place, and what a lost connection may have left.
      most constant integer := 4;
    begin
      perform pg_advisory_xact_lock(hashtextextended('avatars/' || person, 0));
      if (select count(*) from storage.objects where bucket_id = 'avatars' and starts_with(name, person || '/')) > most then
        raise exception using errcode = '42501', message = format('There is room for %s pictures of a person', most);
      end if;
      -- Who signed may have left since.
      if not exists (select from public.profiles where id::text = person) then
        raise exception using errcode = '42501', message = 'There is no such person';
      end if;
      return null;
    end
  $$;

create trigger avatars_are_few
  after insert or update of bucket_id, name on storage.objects
  for each row when (new.bucket_id = 'avatars')
  execute function private.require_few_avatars();

drop policy "People add a few avatars of their own" on storage.objects;
create policy "People add avatars of their own" on storage.objects
  for insert to authenticated
  with check (bucket_id = 'avatars' and private.is_own_avatar(name));
drop function private.has_room_for_avatar();
