-- Nobody gets rid of a sanction, or of a child's age group, with the account by signing up again: what still counts
-- is kept under digests of the confirmed addresses and of the accounts at other providers, and returns to the next
-- account that has one of them. Some providers, Roblox among them, tell no address.
create table private.kept_sanctions (
  id uuid not null primary key default gen_random_uuid(),
  addresses bytea[] not null,
  kind text not null,
  code text not null,
  reason text not null,
  subject_id uuid,
  until timestamptz,
  created_at timestamptz not null,
  counts_until timestamptz not null
);
comment on table private.kept_sanctions is 'Sanctions of deleted accounts, while they are in force or count as strikes.';
create index kept_sanctions_addresses_idx on private.kept_sanctions using gin (addresses);

-- An age group has no end of its own: kept as long as a strike.
create table private.kept_age_bands (
  id uuid not null primary key default gen_random_uuid(),
  addresses bytea[] not null,
  band text not null,
  until timestamptz not null default now() + interval '30 days'
);
comment on table private.kept_age_bands is 'Age groups of children whose accounts were deleted lately.';
create index kept_age_bands_addresses_idx on private.kept_age_bands using gin (addresses);

create function private.digest_identity(provider text, provider_id text) returns bytea
  language sql stable strict
  set search_path = ''
  as $$ select private.digest_address(provider || ' ' || provider_id) $$;
revoke execute on function private.digest_identity(text, text) from public;

create function private.digest_sign_ins(account auth.users) returns bytea[]
  language sql stable
  set search_path = ''
  as $$
    select array_remove(
      array[
        case when account.email_confirmed_at is not null then private.digest_address(account.email) end,
        case when account.phone_confirmed_at is not null then private.digest_address(account.phone) end
      ],
      null
    ) || array(
      select private.digest_identity(provider, provider_id) from auth.identities
      where user_id = account.id and provider not in ('email', 'phone')
    )
  $$;
revoke execute on function private.digest_sign_ins(auth.users) from public;

create function private.keep_what_counts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      digests constant bytea[] := private.digest_sign_ins(old);
    begin
      if digests = '{}' then
        return case tg_op when 'DELETE' then old else new end;
      end if;
      insert into private.kept_sanctions (addresses, kind, code, reason, subject_id, until, created_at, counts_until)
        select digests, kind, code, reason, subject_id, until, created_at, counts_until from public.sanctions
          where user_id = old.id and lifted_at is null and greatest(until, counts_until) > now()
        union all
        -- Silences that an admin wrote directly are no strikes.
        select digests, 'silence', 'other', reason, null, until, created_at, created_at
          from public.chat_silences as silence
          where user_id = old.id and until > now() and not exists (
            select from public.sanctions
            where user_id = old.id and kind = 'silence' and lifted_at is null and created_at = silence.created_at
          )
        union all
        -- Nor are bans that were set in the auth service alone.
        select digests, 'ban', 'other', 'This account was suspended', null,
            case when old.banned_until < now() + interval '100 years' then old.banned_until else 'infinity' end, now(), now()
          where old.banned_until > now() and not exists (
            select from public.sanctions
            where user_id = old.id and kind = 'ban' and lifted_at is null and least(until, '9999-01-01') >= old.banned_until
          );
      insert into private.kept_age_bands (addresses, band)
        select digests, band from public.age_bands
        where user_id = old.id and private.lowest_age(band) < (select age_limit from private.settings);
      return case tg_op when 'DELETE' then old else new end;
    end
  $$;
revoke execute on function private.keep_what_counts() from public;

create trigger keep_what_counts
  before delete on auth.users
  for each row when (old.deleted_at is null)
  execute function private.keep_what_counts();

-- Deleting an account softly takes its addresses and identities from it.
create trigger keep_what_counts_softly
  before update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function private.keep_what_counts();

-- The sanctions were carried out on the former account: only silences and bans take effect again. The new account has a
-- harmless name already.
create function private.return_kept(account uuid, digests bytea[]) returns void
  language sql
  set search_path = ''
  as $$
    with kept as (delete from private.kept_sanctions where addresses && digests returning *)
    insert into public.sanctions (user_id, kind, code, reason, subject_id, until, created_at, counts_until, done_at)
      select account, kind, code, reason, subject_id, until, created_at, counts_until, case kind when 'rename' then now() end
      from kept where greatest(until, counts_until) > now();
    with kept as (delete from private.kept_age_bands where addresses && digests returning *)
    insert into public.age_bands (user_id, band)
      select account, band from kept where until > now() order by private.lowest_age(band) limit 1
      on conflict do nothing;
  $$;
revoke execute on function private.return_kept(uuid, bytea[]) from public;

create function private.return_what_counts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.return_kept(new.id, private.digest_sign_ins(new));
      return null;
    end
  $$;
revoke execute on function private.return_what_counts() from public;

-- Triggers fire in alphabetical order: after create_profile_at_sign_up.
create trigger return_what_counts
  after insert or update of email, email_confirmed_at, phone, phone_confirmed_at on auth.users
  for each row when (new.email_confirmed_at is not null or new.phone_confirmed_at is not null)
  execute function private.return_what_counts();

create function private.return_what_counts_to_identity() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      perform private.return_kept(new.user_id, array[private.digest_identity(new.provider, new.provider_id)]);
      return null;
    end
  $$;
revoke execute on function private.return_what_counts_to_identity() from public;

create trigger return_what_counts_to_identity
  after insert on auth.identities
  for each row when (new.provider not in ('email', 'phone'))
  execute function private.return_what_counts_to_identity();

-- Called hourly by the server.
create function private.forget_what_counted() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.kept_sanctions where greatest(until, counts_until) <= now();
    delete from private.kept_age_bands where until <= now();
  $$;
revoke execute on function private.forget_what_counted() from public;
