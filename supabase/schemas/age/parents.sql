-- A child enters a parent's address, and the parent is mailed a link to a page where they can see what is stored,
-- allow, refuse, withdraw, export and delete. Only a digest of the link's key is kept.

create table private.parent_links (
  token_hash bytea not null primary key,
  child_id uuid not null references public.profiles (id) on delete cascade,
  expires_at timestamptz not null
);
create index parent_links_child_id_idx on private.parent_links (child_id);
create index parent_links_expires_at_idx on private.parent_links (expires_at);

create table private.consent_log (
  id bigint not null generated always as identity primary key,
  child_id uuid not null references public.profiles (id) on delete cascade,
  act text not null
    constraint consent_log_act_is_known check (act in ('asked', 'allowed', 'refused', 'withdrawn', 'exported', 'forgotten')),
  at timestamptz not null default now()
);
comment on table private.consent_log is 'Log of consent requests and parents'' decisions, without their addresses.';
create index consent_log_child_id_idx on private.consent_log (child_id);

-- Keyed by a digest from which the address cannot be recovered.
create table private.parent_paces (
  address bytea not null primary key,
  sent timestamptz[] not null
);

-- At most three mails a day to one address, no matter who requests them. Returns whether one more is allowed.
create function private.may_mail_parent(email text) returns boolean
  language plpgsql
  set search_path = ''
  as $$
    declare
      digest constant bytea := private.digest_address(email);
      recent integer;
    begin
      if (select count(*) from backend.mail_queue) >= 1000 then
        return false;
      end if;
      insert into private.parent_paces as pace (address, sent) values (digest, array[now()])
        on conflict (address) do update
          set sent = array(select at from unnest(pace.sent) as at where at > now() - interval '24 hours') || now()
        returning cardinality(sent) into recent;
      if recent > 3 then
        update private.parent_paces set sent = sent[1:3] where address = digest;
      end if;
      return recent <= 3;
    end
  $$;
revoke execute on function private.may_mail_parent(text) from public;

create function private.escape_html(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$ select replace(replace(replace(value, '&', '&amp;'), '<', '&lt;'), '"', '&quot;') $$;

create function private.compose_parent_mail(kind text, username text, site text) returns text[]
  language sql stable strict
  set search_path = ''
  as $$
    select case kind
      when 'asked' then array[
        format('%s asks for your permission at %s', username, site),
        format('A child who is called %s at %s entered your address as that of a parent.', username, site),
        'Without your permission the child reads values, keeps trades, and talks with others by ready-made phrases only.'
          ' With it the child may write short messages, which are checked word by word, and be found by other traders.',
        'This page says what the site keeps, and asks for your answer:',
        'If you are not the parent of this child, ignore this mail: without an answer your address is deleted within 14 days.'
      ]
      when 'allowed' then array[
        format('You allowed %s to take part at %s', username, site),
        format('You allowed the child who is called %s to write to others at %s.', username, site),
        'If this was not you, or if you think otherwise one day, withdraw it on this page:',
        'There you also see, export and delete what the site keeps of the child. When the link is too old, the same page sends a new one.'
      ]
      else array[
        format('Your link for %s at %s', username, site),
        format('Here is the new link that was asked for, for the child who is called %s at %s.', username, site),
        'On this page you see, export and delete what the site keeps, and allow or withdraw:',
        'If you did not ask for it, ignore this mail.'
      ]
    end
  $$;

-- Returns whether a mail was sent. A confirmation is not limited, since it answers one of the limited mails. The link's
-- key is in the URL fragment, so that it never appears in a server's log.
create function private.mail_parent(child uuid, kind text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      key constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
      -- Locked, so that no link goes to one parent while the child asks another.
      email constant text := (select parent_email from private.parental_consents where child_id = child for update);
      base constant text := (select site_url from private.settings);
      link constant text := base || '/parents/consent#key=' || key;
      note constant text := 'The link works for 7 days.';
      texts constant text[] := private.compose_parent_mail(
        kind,
        (select username from public.profiles where id = child),
        (select coalesce(site_name, base) from private.settings)
      );
    begin
      if link is null or email is null or kind <> 'allowed' and not private.may_mail_parent(email) then
        return false;
      end if;
      insert into private.parent_links (token_hash, child_id, expires_at)
        values (sha256(convert_to(key, 'UTF8')), child, now() + interval '7 days');
      insert into backend.mail_queue (message) values (jsonb_build_object(
        'to', email,
        'subject', texts[1],
        'text', array_to_string(texts[2:cardinality(texts) - 1] || link || texts[cardinality(texts)] || note, E'\n\n'),
        'html', (
          select string_agg('<p>' || private.escape_html(line) || '</p>', '' order by place)
            filter (where place < cardinality(texts))
            || format('<p><a href="%s">%1$s</a></p>', private.escape_html(link))
            || '<p>' || private.escape_html(texts[cardinality(texts)]) || '</p><p>' || note || '</p>'
          from unnest(texts) with ordinality as lines (line, place) where place > 1
        )
      ));
      notify backend_mail;
      return true;
    end
  $$;
revoke execute on function private.mail_parent(uuid, text) from public;

create function public.ask_parent(email text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      me constant uuid := (select auth.uid());
      address constant text := lower(private.trim_text(email));
    begin
      if me is null or private.owes_second_factor() or private.is_anonymous_or_application() then
        raise exception using errcode = 'insufficient_privilege', message = 'Please log in first';
      end if;
      if not private.is_child(me) then
        raise exception using errcode = 'PT409', message = 'You do not need a parent''s permission here';
      end if;
      if (select site_url from private.settings) is null then
        raise exception using errcode = 'PT503', message = 'This site sends no email, so it cannot ask a parent';
      end if;
      -- As the auth service reads addresses. What else a mail server or program takes for one is another spelling of an
      -- address that was asked already: 'a:ana@example.org', 'ana@example.org(a)', 'ana@example.org.'.
      if char_length(address) > 255 or address like '%..%' or address !~ concat(
        '^[a-z0-9.!#$%&''*+/=?^_`{|}~-]{1,64}@',
        '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$'
      ) then
        raise exception using errcode = 'check_violation', message = 'Please enter an email address';
      end if;
      if address = (select lower(users.email) from auth.users where id = me) then
        raise exception using
          errcode = 'check_violation', message = 'This is the address of your own account. Please enter your parent''s.';
      end if;
      -- Repeated after a lost answer, even while the first is not committed: the mail is on its way, and another one
      -- would replace its link.
      perform pg_advisory_xact_lock(hashtextextended('ask parent/' || me, 0));
      if exists (
        select from private.parental_consents
        where child_id = me and state = 'asked' and parent_email = address and changed_at > now() - interval '1 minute'
      ) then
        return;
      end if;
      perform private.count_daily_act(me, 'ask_parent', 3, 'You can ask three times a day. Please try again tomorrow.');
      insert into private.parental_consents as consent (child_id, state, parent_email) values (me, 'asked', address)
        on conflict (child_id) do update set state = 'asked', parent_email = excluded.parent_email, changed_at = now();
      -- Revokes earlier links, which went to another address or were answered.
      delete from private.parent_links where child_id = me;
      insert into private.consent_log (child_id, act) values (me, 'asked');
      if not private.mail_parent(me, 'asked') then
        raise exception using
          errcode = 'PT429', message = 'This address cannot be written to right now. Please try again tomorrow.';
      end if;
    end
  $$;
comment on function public.ask_parent is 'Emails a parent the link to the consent page; for users under the age limit.';
revoke execute on function public.ask_parent(text) from public, anon;
grant execute on function public.ask_parent(text) to authenticated;

-- Called hourly by the server: deletes expired links, the addresses of parents who did not answer, and expired
-- rate-limit counts.
create function private.forget_parents() returns void
  language sql
  set search_path = ''
  as $$
    select private.take_turn();
    -- Before the links, as a child that asks again changes them.
    with forgotten as (
      delete from private.parental_consents
      where state = 'asked' and changed_at < now() - interval '14 days' returning child_id
    )
    insert into private.consent_log (child_id, act) select child_id, 'forgotten' from forgotten;
    delete from private.parent_links where expires_at < now();
    delete from private.parent_paces
      where not exists (select from unnest(sent) as at where at > now() - interval '24 hours');
  $$;
revoke execute on function private.forget_parents() from public;
