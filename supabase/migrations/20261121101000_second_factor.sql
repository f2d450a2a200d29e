-- Whoever set up a second factor is known by both. Until it is given, a session (aal1) may read what every signed-in
-- person reads, and does nothing in its person's name. The site asks for the factor at sign-in; a caller with a stolen
-- password and curl does not ask.

create function private.owes_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2' and exists (
      select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified'
    )
  $$;

-- Restrictive: they take away from what the other policies give.
do $$
  declare
    owes constant text := '(select private.owes_second_factor())';
    place text;
  begin
    foreach place in array array[
      'public.chat_messages', 'public.chat_mutes', 'public.profiles', 'public.user_ratings', 'storage.objects'
    ] loop
      execute format(
        'create policy "Half a sign-in adds nothing" on %s
           as restrictive for insert to authenticated with check (not %s)', place, owes);
      execute format(
        'create policy "Half a sign-in changes nothing" on %s
           as restrictive for update to authenticated using (not %s)', place, owes);
      execute format(
        'create policy "Half a sign-in removes nothing" on %s
           as restrictive for delete to authenticated using (not %s)', place, owes);
    end loop;
    foreach place in array array['public.trade_history', 'public.chat_reports'] loop
      execute format(
        'create policy "Half a sign-in sees and does nothing here" on %s
           as restrictive for all to authenticated using (not %s) with check (not %2$s)', place, owes);
    end loop;
  end
$$;

create policy "Half a sign-in is not in the chat" on realtime.messages
  as restrictive for insert to authenticated
  with check (not (select private.owes_second_factor()));

-- An admin with half a sign-in is no admin.
create or replace function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.user_roles where user_id = (select auth.uid()) and role = 'admin'
    ) and not private.owes_second_factor()
  $$;
