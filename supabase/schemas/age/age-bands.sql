-- A user's self-declared age, as one of four groups: no date, no year. Asked once, when they first use chat or
-- community features. The group and the operator's age limit determine whether a parent must consent.

create function private.lowest_age(band text) returns integer
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case band when 'under-13' then 0 when '13-15' then 13 when '16-17' then 16 when '18-or-older' then 18 end
  $$;
comment on function private.lowest_age is 'The youngest age of a group; null for unknown groups.';

create table public.age_bands (
  user_id uuid not null primary key references public.profiles (id) on delete cascade,
  band text not null constraint age_bands_band_is_known check (private.lowest_age(band) is not null)
);
comment on table public.age_bands is 'Each user''s age group; readable only by that user.';

alter table public.age_bands enable row level security;
create policy "Users see their own age group" on public.age_bands
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "Sessions without the second factor cannot select" on public.age_bands
  as restrictive for select to authenticated
  using (not (select private.owes_second_factor()));

create policy "Anonymous accounts and applications cannot select" on public.age_bands
  as restrictive for select to authenticated
  using (not (select private.is_anonymous_or_application()));

grant select on table public.age_bands to authenticated;

-- A parent's answer about a child's account. The address is kept only while needed: until the parent answers, and
-- while a permission is in force.
create table private.parental_consents (
  child_id uuid not null primary key references public.profiles (id) on delete cascade,
  state text not null
    constraint parental_consents_state_is_known check (state in ('asked', 'allowed', 'refused', 'withdrawn')),
  parent_email text
    constraint parental_consents_parent_email_has_at_most_255_characters check (char_length(parent_email) <= 255),
  changed_at timestamptz not null default now(),
  constraint parental_consents_keep_no_address_without_need
    check ((parent_email is not null) = (state in ('asked', 'allowed')))
);
comment on table private.parental_consents is 'Parental consent: whether a parent was asked, and the answer.';
create index parental_consents_parent_email_idx on private.parental_consents (parent_email);

-- Below the operator's age limit, and without a parent's consent.
create function private.is_child(person uuid) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select exists (
      select from public.age_bands
      where user_id = person and private.lowest_age(band) < (select age_limit from private.settings)
    ) and not exists (
      select from private.parental_consents where child_id = person and state = 'allowed'
    )
  $$;

-- A child is visible only to users whom they talk to: not listed, without a picture of their own, also one that waits
-- for approval, and neither in the profile nor in recent messages under a name that they chose.
create function private.hide_child(person uuid, renames boolean) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      if renames then
        perform private.take_turn();
      end if;
      -- First, so that a picture that is being approved meanwhile is found in the profile. Hosted projects refuse to
      -- delete a file's row by SQL unless this is set.
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects where bucket_id = 'avatar-uploads' and starts_with(name, person::text || '/');
      -- Also if not listed, to wait for what the user changes meanwhile, a picture too.
      update public.profiles set listed = false where id = person;
      -- Catalogue drawings may stay.
      update public.profiles set avatar_url = null where id = person and avatar_url like '/storage/%';
      if renames then
        delete from private.daily_acts where user_id = person and act = 'rename';
        perform private.rename_person(person, private.generate_username(''));
      end if;
    end
  $$;
revoke execute on function private.hide_child(uuid, boolean) from public;

create function private.settle_age_band() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      if private.is_child(new.user_id) then
        perform private.hide_child(new.user_id, tg_op = 'UPDATE');
      end if;
      return null;
    end
  $$;
revoke execute on function private.settle_age_band() from public;

create trigger age_bands_settle
  after insert or update on public.age_bands
  for each row execute function private.settle_age_band();

-- Children whom hide_child has not hidden yet: those since the limit was raised, and those of an earlier release. That
-- a user chose their name is known from their daily acts. Most users are sorted out before is_child is called.
create function private.list_exposed_children() returns setof uuid
  language sql stable
  set search_path = ''
  as $$
    select user_id from public.age_bands join public.profiles on id = user_id
    where private.lowest_age(band) < (select age_limit from private.settings)
      and case
        when listed or avatar_url like '/storage/%'
          or exists (select from private.daily_acts as acts where acts.user_id = id and act = 'rename')
          or id::text in (select split_part(name, '/', 1) from storage.objects where bucket_id = 'avatar-uploads')
          then private.is_child(user_id)
      end
  $$;
revoke execute on function private.list_exposed_children() from public;

-- Users choose once; a moderator corrects mistakes.
create function public.choose_age_band(band text, list_me boolean default false) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      me constant uuid := (select auth.uid());
    begin
      if me is null or private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if private.lowest_age(choose_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'Please choose one of the age groups';
      end if;
      insert into public.age_bands (user_id, band) values (me, choose_age_band.band) on conflict do nothing;
      if not found then
        raise exception using
          errcode = 'PT409', message = 'You chose your age group already. Write to us if it is wrong.';
      end if;
      if list_me and not private.is_child(me) then
        update public.profiles set listed = true where id = me;
      end if;
      return private.find_standing(me);
    end
  $$;
comment on function public.choose_age_band is
  'Sets the caller''s age group, once: under-13, 13-15, 16-17 or 18-or-older; list_me lists the caller in the community. Returns the standing.';

create function public.set_age_band(person uuid, band text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.require_right_over(person);
      perform private.take_turn();
      if not exists (select from public.profiles where id = person) or private.lowest_age(set_age_band.band) is null then
        raise exception using errcode = 'invalid_parameter_value', message = 'There is no such person or age group';
      end if;
      insert into public.age_bands as known (user_id, band) values (person, set_age_band.band)
        on conflict (user_id) do update set band = excluded.band where known.band <> excluded.band;
      -- Logs the change without the age group, which not everyone who reads the log needs to know.
      insert into public.admin_acts (admin_id, act, table_name, row_id, person_id)
        values ((select auth.uid()), 'update', 'age_bands', person, person);
    end
  $$;
comment on function public.set_age_band is 'Corrects a user''s age group; for moderators.';
revoke execute on function public.choose_age_band(text, boolean), public.set_age_band(uuid, text) from public, anon;
grant execute on function public.choose_age_band(text, boolean), public.set_age_band(uuid, text)
  to authenticated, service_role;
