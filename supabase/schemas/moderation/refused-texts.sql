-- A user whose texts are refused repeatedly may be trying to get a phone number past the rules. A refusal rolls back
-- its transaction and everything written in it, so the service that answers the request records it afterwards with
-- this function; on a backend that does not call it there is no such signal. The texts themselves are not kept.
create table private.refused_texts (
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  reason text not null
);
comment on table private.refused_texts is 'Why texts of a user were refused within the last day.';
create index refused_texts_user_id_at_idx on private.refused_texts (user_id, at);
create index refused_texts_at_idx on private.refused_texts (at);

-- Five within a day create a report for the moderators, which grows with further ones; once it is resolved, no other
-- is created that day.
create function private.note_refusal(person uuid, reason text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      enough constant integer := 5;
      -- More say nothing new, and a flood would fill the disk.
      most constant integer := 500;
      today constant uuid := md5(person || to_char(now() at time zone 'UTC', 'YYYYMMDD'))::uuid;
      found_reasons text;
    begin
      -- So that concurrent refusals make one report together.
      perform pg_advisory_xact_lock(hashtextextended('refusals/' || person, 0));
      -- Before its reports, as deleting the account begins there.
      perform from auth.users where id = person for key share;
      delete from private.refused_texts where at < now() - interval '1 day';
      if (select count(*) from private.refused_texts where user_id = person) >= most then
        return;
      end if;
      insert into private.refused_texts (user_id, reason) select id, note_refusal.reason from public.profiles where id = person;
      select string_agg(times || ' × ' || why, E'\n' order by times desc, why) into found_reasons
        from (
          select refused.reason as why, count(*) as times, sum(count(*)) over () as total
          from private.refused_texts as refused where user_id = person group by refused.reason
        ) as counted
        where total >= enough;
      if found_reasons is null then
        return;
      end if;
      update public.reports set evidence = found_reasons
        where subject_id = today and kind = 'refusals' and resolved_at is null;
      if not exists (select from public.reports where subject_id = today and kind = 'refusals') then
        insert into public.reports (kind, code, subject_id, reported_user_id, reporter_id, evidence)
          values ('refusals', 'personal', today, person, null, found_reasons);
      end if;
    end
  $$;
revoke execute on function private.note_refusal(uuid, text) from public;
