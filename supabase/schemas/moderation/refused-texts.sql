-- Somebody whose texts are refused again and again may be trying to get a number past the rules. A refusal takes back its
-- transaction and all that it wrote, so the service that answers it notes it afterwards, by this function; a backend that
-- does not call it gives no signal. The texts themselves are not kept.
create table private.refused_texts (
  user_id uuid not null references public.profiles (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  reason text not null
);
comment on table private.refused_texts is 'Why texts of a person were refused within the last day.';
create index refused_texts_user_id_at_idx on private.refused_texts (user_id, at);
create index refused_texts_at_idx on private.refused_texts (at);

-- Five within a day wait for a moderator, as one report that grows; no more of it once it was judged that day.
create function private.note_refusal(person uuid, reason text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
    declare
      enough constant integer := 5;
      today constant uuid := md5(person || to_char(now() at time zone 'UTC', 'YYYYMMDD'))::uuid;
      found_reasons text;
    begin
      delete from private.refused_texts where at < now() - interval '1 day';
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
