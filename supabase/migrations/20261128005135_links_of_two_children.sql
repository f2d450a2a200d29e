SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.renew_parent_link (
  email text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      address constant text := lower(private.trim_text(email));
    begin
      -- All before the first mail: a child that asks locks its own before the pace of the address, too.
      perform from private.parental_consents where parent_email = address order by child_id for update;
      perform private.mail_parent(child_id, 'renewed') from private.parental_consents where parent_email = address;
    end
  $function$;
