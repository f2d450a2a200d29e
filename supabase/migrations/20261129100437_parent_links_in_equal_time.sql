SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.limit_link_requests()
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;

CREATE OR REPLACE FUNCTION public.renew_parent_link (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
  $function$;

REVOKE ALL ON FUNCTION "private"."limit_link_requests"() FROM PUBLIC;
