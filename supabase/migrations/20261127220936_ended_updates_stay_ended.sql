SET local check_function_bodies = off;

DROP FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid);

CREATE OR REPLACE FUNCTION public.mark_game_update (
  name           text,
  items          uuid[],
  volatile_until timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  happened_at    timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  id             uuid                     DEFAULT NULL::uuid
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      marked uuid;
    begin
      if row_security_active('public.game_updates') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins mark game updates';
      end if;
      if coalesce(cardinality(items), 0) not between 1 and 1000 then
        raise exception using
          errcode = 'check_violation', message = 'Choose what the update touched: 1 to 1000 items';
      end if;
      if mark_game_update.id is null then
        insert into public.game_updates (name, happened_at, volatile_until)
          values (mark_game_update.name, coalesce(mark_game_update.happened_at, now()), mark_game_update.volatile_until)
          returning game_updates.id into marked;
      else
        update public.game_updates set
            name = mark_game_update.name,
            volatile_until = coalesce(mark_game_update.volatile_until, game_updates.volatile_until),
            happened_at = coalesce(mark_game_update.happened_at, game_updates.happened_at)
          where game_updates.id = mark_game_update.id
          returning game_updates.id into marked;
        if marked is null then
          raise exception using errcode = 'PT404', message = 'This update is gone: somebody deleted it';
        end if;
        delete from public.game_update_items where update_id = marked and item_id <> all (mark_game_update.items);
      end if;
      insert into public.game_update_items (update_id, item_id)
        select distinct marked, touched from unnest(mark_game_update.items) as touched
        on conflict do nothing;
      return marked;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM PUBLIC, "anon";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid) TO "service_role";
