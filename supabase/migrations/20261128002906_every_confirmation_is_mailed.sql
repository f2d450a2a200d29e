SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.mail_parent (
  child uuid,
  kind  text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      key constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
      -- Locked, so that no link goes to one parent while the child asks another.
      email constant text := (select parent_email from private.parental_consents where child_id = child for update);
      base constant text := (select site_url from private.settings);
      link constant text := base || '/parents/consent#key=' || key;
      note constant text := 'The link works for 7 days.';
      texts constant text[] := private.compose_parent_mail(
        kind,
        (select username from public.profiles where id = child),
        (select coalesce(site_name, base) from private.settings)
      );
    begin
      if link is null or email is null or kind <> 'allowed' and not private.may_mail_parent(email) then
        return false;
      end if;
      insert into private.parent_links (token_hash, child_id, expires_at)
        values (sha256(convert_to(key, 'UTF8')), child, now() + interval '7 days');
      insert into backend.mail_queue (message) values (jsonb_build_object(
        'to', email,
        'subject', texts[1],
        'text', array_to_string(texts[2:cardinality(texts) - 1] || link || texts[cardinality(texts)] || note, E'\n\n'),
        'html', (
          select string_agg('<p>' || private.escape_html(line) || '</p>', '' order by place)
            filter (where place < cardinality(texts))
            || format('<p><a href="%s">%1$s</a></p>', private.escape_html(link))
            || '<p>' || private.escape_html(texts[cardinality(texts)]) || '</p><p>' || note || '</p>'
          from unnest(texts) with ordinality as lines (line, place) where place > 1
        )
      ));
      notify backend_mail;
      return true;
    end
  $function$;
