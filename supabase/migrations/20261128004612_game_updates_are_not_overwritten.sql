SET local check_function_bodies = off;

DROP FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid);

CREATE OR REPLACE FUNCTION public.mark_game_update (
  name           text,
  items          uuid[],
  volatile_until timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  happened_at    timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  id             uuid                     DEFAULT NULL::uuid,
  was            timestamp with time zone DEFAULT NULL::timestamp WITH time zone
)
  RETURNS uuid
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    declare
      marked uuid := coalesce(mark_game_update.id, gen_random_uuid());
      stored public.game_updates;
    begin
      if row_security_active('public.game_updates') and not private.is_admin() then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins mark game updates';
      end if;
      if coalesce(cardinality(items), 0) not between 1 and 1000 then
        raise exception using
          errcode = 'check_violation', message = 'Choose what the update touched: 1 to 1000 items';
      end if;
      if was is null then
        insert into public.game_updates (id, name, happened_at, volatile_until)
          values (marked, mark_game_update.name, coalesce(mark_game_update.happened_at, now()), mark_game_update.volatile_until)
          on conflict do nothing;
      end if;
      if was is not null or not found then
        select * into stored from public.game_updates where game_updates.id = marked for update;
        if stored.id is null then
          raise exception using errcode = 'PT404', message = 'This update is gone: somebody deleted it';
        end if;
        if (stored.name, stored.volatile_until, stored.happened_at) = (
          mark_game_update.name,
          coalesce(mark_game_update.volatile_until, stored.volatile_until),
          coalesce(mark_game_update.happened_at, stored.happened_at)
        ) and array(select item_id from public.game_update_items where update_id = marked order by item_id)
          = array(select distinct touched from unnest(mark_game_update.items) as touched order by touched)
        then
          return marked;
        end if;
        if was is distinct from stored.updated_at then
          raise exception using
            errcode = 'PT409',
            message = case
              when was is null then 'This update is marked already: edit it in the list'
              else 'This update was changed by somebody else in the meantime'
            end;
        end if;
        update public.game_updates set
            name = mark_game_update.name,
            volatile_until = coalesce(mark_game_update.volatile_until, game_updates.volatile_until),
            happened_at = coalesce(mark_game_update.happened_at, game_updates.happened_at)
          where game_updates.id = marked;
        delete from public.game_update_items where update_id = marked and item_id <> all (mark_game_update.items);
      end if;
      insert into public.game_update_items (update_id, item_id)
        select distinct marked, touched from unnest(mark_game_update.items) as touched
        on conflict do nothing;
      return marked;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid, timestamp WITH time zone) FROM PUBLIC, "anon";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid, timestamp WITH time zone) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid, timestamp WITH time zone) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid, timestamp WITH time zone) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."mark_game_update"(text, uuid[], timestamp WITH time zone, timestamp WITH time zone, uuid, timestamp WITH time zone) TO "service_role";

REVOKE ALL ("id") ON TABLE "public"."game_updates" FROM "authenticated";

GRANT INSERT ("id") ON TABLE "public"."game_updates" TO "authenticated";
