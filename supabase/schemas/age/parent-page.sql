-- Actions on the parent's page, which the mailed link opens. The key is the only credential: 244 random bits, of
-- which a digest is kept for 7 days.

create function private.find_linked_child(key text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      child constant uuid := (
        select child_id from private.parent_links
        where token_hash = sha256(convert_to(key, 'UTF8')) and expires_at > now()
      );
    begin
      if child is null then
        raise exception using errcode = 'PT404', message = 'This link is no longer valid';
      end if;
      return child;
    end
  $$;
revoke execute on function private.find_linked_child(text) from public;

create function public.show_to_parent(key text)
  returns table (username text, state text, changed_at timestamptz, expires_at timestamptz, listed boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      child constant uuid := private.find_linked_child(key);
    begin
      return query
        select profiles.username, consents.state, consents.changed_at, links.expires_at, profiles.listed
        from public.profiles
        join private.parental_consents as consents on consents.child_id = profiles.id
        join private.parent_links as links on links.token_hash = sha256(convert_to(key, 'UTF8'))
        where profiles.id = child;
    end
  $$;
comment on function public.show_to_parent is 'The account that a parent''s link is for, and the state of consent.';

create function public.decide_as_parent(key text, decision text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      child constant uuid := private.find_linked_child(key);
      known private.parental_consents;
      answer constant text :=
        case decision when 'allow' then 'allowed' when 'refuse' then 'refused' when 'withdraw' then 'withdrawn' end;
    begin
      perform private.take_turn();
      select * into known from private.parental_consents where child_id = child for update;
      -- Meanwhile the child may have asked another parent, which revoked the link.
      perform private.find_linked_child(key);
      if answer is null or known.child_id is null
        or (known.state, answer) not in (('asked', 'allowed'), ('asked', 'refused'), ('allowed', 'withdrawn'))
      then
        raise exception using errcode = 'PT409', message = 'This was answered already. Your child can ask again.';
      end if;
      update private.parental_consents
        set state = answer, changed_at = now(), parent_email = case answer when 'allowed' then known.parent_email end
        where child_id = child;
      insert into private.consent_log (child_id, act) values (child, answer);
      if answer = 'allowed' then
        -- A confirmation mail, so that the parent notices if someone else allowed it.
        perform private.mail_parent(child, 'allowed');
      elsif private.is_child(child) then
        perform private.hide_child(child, renames => answer = 'withdrawn');
      end if;
      return answer;
    end
  $$;
comment on function public.decide_as_parent is 'Records a parent''s decision: allow or refuse, later withdraw.';

create function public.export_as_parent(key text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      child constant uuid := private.find_linked_child(key);
    begin
      insert into private.consent_log (child_id, act) values (child, 'exported');
      return jsonb_build_object(
        'exported_at', now(),
        'profile', (select jsonb_build_object('username', username, 'listed', listed, 'picture', avatar_url)
          from public.profiles where id = child),
        'age_group', (select band from public.age_bands where user_id = child),
        'account', (select jsonb_build_object('created_at', created_at, 'last_sign_in_at', last_sign_in_at)
          from auth.users where id = child),
        'saved_trades', (select coalesce(jsonb_agg(to_jsonb(rows) - 'user_id' order by created_at), '[]')
          from public.trade_history as rows where user_id = child),
        'chat_messages', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'message', message)
          order by created_at), '[]') from public.chat_messages where user_id = child),
        'ratings_given', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment) order by created_at), '[]') from public.user_ratings where rater_id = child),
        'ratings_received', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'stars', rating,
          'comment', comment, 'answer', answer) order by created_at), '[]')
          from public.user_ratings where rated_user_id = child),
        'chat_reactions', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'emoji', emoji)
          order by created_at), '[]') from public.chat_reactions where user_id = child),
        'people_muted', (select count(*) from public.chat_mutes where user_id = child),
        'reports_sent', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.reports where reporter_id = child),
        'sanctions', (select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'kind', kind, 'reason', reason)
          order by created_at), '[]') from public.sanctions where user_id = child),
        'appeals', (select coalesce(jsonb_agg(jsonb_build_object('at', appeals.created_at, 'message', message,
          'granted', granted, 'answer', answer) order by appeals.created_at), '[]')
          from public.appeals join public.sanctions on sanctions.id = sanction_id where user_id = child),
        'chat_silence', (select jsonb_build_object('at', created_at, 'until', until, 'reason', reason)
          from public.chat_silences where user_id = child),
        'words_asked_for', (select coalesce(jsonb_agg(word order by word), '[]')
          from private.word_askers where user_id = child),
        'permissions', (select coalesce(jsonb_agg(jsonb_build_object('at', at, 'act', act) order by id), '[]')
          from private.consent_log where child_id = child)
      );
    end
  $$;
comment on function public.export_as_parent is 'All data stored about the child, without the account''s own address.';

create function public.delete_as_parent(key text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    begin
      delete from auth.users where id = private.find_linked_child(key);
    end
  $$;
comment on function public.delete_as_parent is 'Deletes the child''s account and all its data.';

-- Counted with the senders of contact messages, which are forgotten after an hour.
create function private.limit_link_requests() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      hour_ago constant timestamptz := now() - interval '1 hour';
      me constant bytea := sha256('parent link' || private.digest_contact_sender());
      recent integer;
    begin
      if me is null then
        return;
      end if;
      delete from private.contact_paces where not exists (select from unnest(sent) as at where at > hour_ago);
      insert into private.contact_paces as pace (sender, sent) values (me, array[now()])
        on conflict (sender) do update
          set sent = array(select at from unnest(pace.sent) as at where at > hour_ago) || now()
        returning cardinality(sent) into recent;
      if recent > 10 then
        raise exception using errcode = 'PT429', message = 'Too many requests right now, please try again later';
      end if;
    end
  $$;
revoke execute on function private.limit_link_requests() from public;

-- Returns nothing for any address, and takes as long, so that callers cannot find out whether it is a parent's; ten an
-- hour per sender, so that what remains of a difference cannot be averaged.
create function public.renew_parent_link(email text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      began constant timestamptz := clock_timestamp();
      longest constant interval := '50 milliseconds';
      address constant text := lower(private.trim_text(email));
    begin
      perform private.limit_link_requests();
      -- Several at once wait for each other, whatever the address.
      perform pg_advisory_xact_lock(hashtextextended('parent link/' || address, 0));
      -- All before the first mail: a child that asks locks its own before the pace of the address, too.
      perform from private.parental_consents where parent_email = address order by child_id for update;
      perform private.mail_parent(child_id, 'renewed') from private.parental_consents where parent_email = address;
      perform pg_sleep(greatest(0, extract(epoch from began + longest - clock_timestamp())));
    end
  $$;
comment on function public.renew_parent_link is 'Emails a new link to a parent whose address is stored.';
revoke execute on function
  public.show_to_parent(text), public.decide_as_parent(text, text), public.export_as_parent(text),
  public.delete_as_parent(text), public.renew_parent_link(text)
  from public;
grant execute on function
  public.show_to_parent(text), public.decide_as_parent(text, text), public.export_as_parent(text),
  public.delete_as_parent(text), public.renew_parent_link(text)
  to anon, authenticated, service_role;
