-- Who may write freely to others. A user's standing is determined in one place; everything that accepts text checks
-- it here.

create function private.is_new(person uuid) returns boolean
  language sql stable strict security definer
  set search_path = ''
  as $$
    select coalesce(
      (
        select private.find_account_start(person) + make_interval(hours => new_account_hours) > now()
        from private.settings where new_account_hours > 0
      ),
      false
    )
  $$;

create function private.find_standing(person uuid) returns text
  language sql stable strict security definer
  set search_path = ''
  as $$
    select case
      when not exists (select from public.age_bands where user_id = person) then 'unasked'
      when private.is_child(person) then 'child'
      when private.has_strikes(person) then 'strikes'
      when private.is_new(person) then 'new'
      else 'free'
    end
  $$;
comment on function private.find_standing is
  'free, or why the user may not write freely: unasked (no age group yet), child (without a parent''s consent), strikes, new.';

create function private.may_write_freely(person uuid) returns boolean
  language sql stable strict
  set search_path = ''
  as $$ select private.find_standing(person) = 'free' $$;

-- The error detail tells the client what to do: ask for the age group, or offer quick talk and a parent's permission.
create function private.standing_message(standing text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select case standing
      when 'unasked' then 'Choose your age group before you write to others'
      when 'child' then 'You can use quick talk. A parent can allow more.'
      when 'strikes' then 'You can use quick talk for now, because of what moderators had to remove'
      when 'new' then 'You can use quick talk. New accounts can write freely a little later.'
    end
  $$;

-- Servers and the operator have no standing; policies refuse anonymous accounts and applications.
create function private.require_free_writing(person uuid) returns void
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      standing constant text := private.find_standing(person);
    begin
      if standing <> 'free' and not private.is_anonymous_or_application() then
        raise exception using errcode = 'PT403', message = private.standing_message(standing), detail = standing;
      end if;
    end
  $$;

-- For community actions without free text: a name, being listed, stars.
create function private.require_age_group(person uuid, admits_children boolean) returns void
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      standing constant text := private.find_standing(person);
    begin
      if (standing = 'unasked' or standing = 'child' and not admits_children) and not private.is_anonymous_or_application() then
        raise exception using
          errcode = 'PT403',
          message = case standing
            when 'child' then 'A parent has to allow this first'
            else 'Choose your age group first'
          end,
          detail = standing;
      end if;
    end
  $$;

create function private.ask_for_age_before_message() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      -- Children may use quick talk.
      if new.phrase is null and new.trade is null then
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $$;

create trigger chat_messages_ask_for_age
  before insert on public.chat_messages
  for each row execute function private.ask_for_age_before_message();

-- A reaction counts as using the chat, and children may react.
create function private.ask_for_age_before_reaction() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      perform private.require_age_group((select auth.uid()), admits_children => true);
      return new;
    end
  $$;

create trigger chat_reactions_ask_for_age
  before insert on public.chat_reactions
  for each row execute function private.ask_for_age_before_reaction();

-- Children may give stars, but not comments. Moderators who remove a comment or restore it are not asked.
create function private.ask_for_age_before_rating() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if private.trim_text(new.comment) <> '' and new.comment is distinct from private.find_old_comment(new) then
        perform private.require_free_writing((select auth.uid()));
      else
        perform private.require_age_group((select auth.uid()), admits_children => true);
      end if;
      return new;
    end
  $$;

create trigger user_ratings_ask_for_age
  before insert or update of rating, comment on public.user_ratings
  for each row when (row_security_active('public.user_ratings'))
  execute function private.ask_for_age_before_rating();

-- When a moderator requires a new name, children must choose one too.
create function private.ask_for_age_before_name() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if row_security_active('public.profiles') and (
        new.listed and not old.listed
        or new.username is distinct from old.username and not private.must_choose_name(new.id)
      ) then
        perform private.require_age_group(new.id, admits_children => false);
      end if;
      return new;
    end
  $$;

create trigger profiles_ask_for_age
  before update of username, listed on public.profiles
  for each row execute function private.ask_for_age_before_name();

-- The user's whole standing in one answer, for their own pages.
create function public.show_own_standing()
  returns table (standing text, band text, age_limit integer, parent text, asked_at timestamptz, uploads boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    select private.find_standing(profiles.id), bands.band, settings.age_limit, consents.state,
      case consents.state when 'asked' then consents.changed_at end, settings.takes_uploads
    from private.settings, public.profiles
    left join public.age_bands as bands on bands.user_id = profiles.id
    left join private.parental_consents as consents on consents.child_id = profiles.id
    where profiles.id = (select auth.uid())
      and not (select private.owes_second_factor()) and not (select private.is_anonymous_or_application())
  $$;
comment on function public.show_own_standing() is
  'The caller''s standing, age group and parental consent.';
revoke execute on function public.show_own_standing() from public, anon;
grant execute on function public.show_own_standing() to authenticated;
