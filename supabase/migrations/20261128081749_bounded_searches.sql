SET local check_function_bodies = off;

ALTER TABLE "public"."archived_items"
  ADD COLUMN "people" uuid[] NOT NULL DEFAULT '{}'::uuid[];

CREATE OR REPLACE FUNCTION private.forget_person_in_archive()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      person constant text := to_json(old.id::text);
    begin
      update public.archived_items set records = replace(records::text, person, 'null')::jsonb
        where people @> array[old.id];
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.list_archived_people()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      new.people := array(
        select profiles.id from public.profiles
        where profiles.id in (
          select ids[1]::uuid
          from regexp_matches(new.records::text, '"([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})"', 'g') as ids
        )
      );
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.remove_change_pictures()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('storage.allow_delete_query', 'true', true);
      delete from storage.objects
        where bucket_id = 'change-uploads' and starts_with(name, old.id::text || '/')
          or bucket_id = 'change-pictures' and name in (
            select picture from public.value_proposals where proposed_by = old.id and picture is not null
            union all
            select gone ->> 'picture'
            from public.archived_items, jsonb_array_elements(records -> 'public.value_proposals') as gone
            where people @> array[old.id] and gone ->> 'proposed_by' = old.id::text
          );
      return old;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.count_moderation()
  RETURNS TABLE (
    month           date,
    reports         integer,
    acted_on        integer,
    median_minutes  integer,
    appeals         integer,
    appeals_granted integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with months as (
      select date_trunc('month', now() at time zone 'UTC') - make_interval(months => ago) as month
      from generate_series(0, 11) as ago
    ),
    span as (select min(month) at time zone 'UTC' as start from months),
    counted as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as reports,
        count(*) filter (where outcome = 'acted') as acted_on, count(resolved_at) as resolved,
        percentile_cont(0.5) within group (order by extract(epoch from resolved_at - created_at) / 60) as minutes
      from public.reports where reporter_id is not null and created_at >= (select start from span) group by 1
    ),
    appealed as (
      select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as appeals,
        count(*) filter (where granted) as granted
      from public.appeals where created_at >= (select start from span) group by 1
    )
    select months.month::date, nullif(greatest(counted.reports, 4), 4)::integer,
      nullif(greatest(counted.acted_on, 4), 4)::integer,
      case when counted.resolved >= 5 then ceil(counted.minutes)::integer end,
      nullif(greatest(appealed.appeals, 4), 4)::integer, nullif(greatest(appealed.granted, 4), 4)::integer
    from months
    left join counted on counted.month = months.month
    left join appealed on appealed.month = months.month
    order by months.month desc
  $function$;

CREATE INDEX appeals_created_at_idx ON public.appeals USING btree (created_at);

CREATE INDEX archived_items_people_idx ON public.archived_items USING gin (people);

CREATE TRIGGER archived_items_list_people
  BEFORE INSERT OR UPDATE OF records ON public.archived_items
  FOR EACH ROW
  EXECUTE FUNCTION private.list_archived_people();

COMMENT ON COLUMN "public"."archived_items"."people" IS 'The users whom the records name; maintained by a trigger.';

REVOKE ALL ON FUNCTION "private"."list_archived_people"() FROM PUBLIC;

-- The trigger lists the people of what is archived already.
UPDATE public.archived_items SET records = records;
