-- Bans use the auth service's own mechanism: it ends every session at once and refuses sign-ins until the ban is
-- over. A longer ban that was set there alone is not shortened, nor lifted with a sanction.
create function private.set_ban(changed public.sanctions) returns void
  language plpgsql
  set search_path = ''
  as $$
    declare
      -- The auth service cannot parse infinity, nor years beyond 9999.
      latest constant timestamptz := '9999-01-01';
      until constant timestamptz := (private.find_sanction_in_force(changed.user_id, 'ban')).until;
    begin
      update auth.users set banned_until = case
          when banned_until > greatest(until, now()) and banned_until <> least(changed.until, latest) then banned_until
          when until is not null then least(until, latest)
        end
        where id = changed.user_id;
      if until is not null then
        delete from auth.sessions where user_id = changed.user_id;
      end if;
    end
  $$;
revoke execute on function private.set_ban(public.sanctions) from public;

create function private.ban_message(ban public.sanctions) returns text
  language sql stable strict
  set search_path = ''
  as $$
    select case
      when isfinite(ban.until) then format('This account is suspended until %s UTC. Reason: %s',
        to_char(ban.until at time zone 'UTC', 'Mon FMDD, YYYY, FMHH12:MI AM'), ban.reason)
      else format('This account is suspended for good. Reason: %s', ban.reason)
    end
  $$;
revoke execute on function private.ban_message(public.sanctions) from public;

-- The auth service calls this hook (`password_verification_attempt`) for each password attempt: to a banned user
-- with the right password it gives the reason, the end of the ban and the key for an appeal.
create function private.explain_ban(event jsonb) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
    declare
      ban public.sanctions;
    begin
      if (event ->> 'valid')::boolean then
        ban := private.find_sanction_in_force((event ->> 'user_id')::uuid, 'ban');
      end if;
      if ban.id is null then
        return '{"decision": "continue"}';
      end if;
      return jsonb_build_object(
        'decision', 'reject',
        'message', format('%s%s To appeal: /appeal?key=%s', private.ban_message(ban),
          case when ban.reason ~ '[.!?]$' then '' else '.' end, ban.appeal_key)
      );
    end
  $$;
revoke execute on function private.explain_ban(jsonb) from public;
grant usage on schema private to supabase_auth_admin;
grant execute on function private.explain_ban(jsonb) to supabase_auth_admin;
