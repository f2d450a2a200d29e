-- Helpers for policies, triggers and generated columns. The API exposes only the schema public, so nothing here can
-- be called or read from outside; the roles need usage because policies run with their rights.
create schema private;
grant usage on schema private to anon, authenticated, service_role;

-- Supabase grants everything on each new table of this schema to visitors and users. Here they have only what a
-- table's own file grants, so that a forgotten line refuses access instead of opening it.
alter default privileges in schema public revoke all on tables from anon, authenticated;
-- The server's role has all of it, also on projects that no longer grant that by themselves.
alter default privileges in schema public grant all on tables to service_role;

-- Trims the same white space as JavaScript's trim(), so that browser and database agree on what is empty.
create function private.trim_text(value text) returns text
  language sql immutable strict parallel safe
  set search_path = ''
  as $$
    select btrim(value, E' \t\n\x0b\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'
      '\u2028\u2029\u202f\u205f\u3000\ufeff')
  $$;

-- The time of an edit is the server's, regardless of what the client sent.
create function private.stamp_update() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      new.updated_at := now();
      return new;
    end
  $$;

-- Settings that the operator makes by environment variables; the server writes them here at each start.
create table private.settings (
  only_row boolean not null primary key default true constraint settings_has_one_row check (only_row),
  rating_min_account_age interval not null default '0',
  stores_contact_messages boolean not null default false,
  contact_key uuid not null default gen_random_uuid(),
  site_name text constraint settings_site_name_has_at_most_100_characters check (char_length(site_name) <= 100),
  contact_mail_to text constraint settings_contact_mail_to_has_at_most_255_characters check (char_length(contact_mail_to) <= 255),
  age_limit integer not null default 13
    constraint settings_age_limit_is_where_an_age_group_begins check (age_limit in (13, 16, 18)),
  new_account_hours integer not null default 0
    constraint settings_new_account_hours_is_at_most_a_month check (new_account_hours between 0 and 720),
  takes_uploads boolean not null default false,
  site_url text constraint settings_site_url_has_at_most_255_characters check (char_length(site_url) <= 255),
  names_judged_to uuid,
  large_change_percent numeric not null default 25
    constraint settings_large_change_percent_is_above_0 check (large_change_percent > 0),
  dear_items integer not null default 10 constraint settings_dear_items_is_at_least_0 check (dear_items >= 0),
  new_editor_changes integer not null default 20
    constraint settings_new_editor_changes_is_at_least_0 check (new_editor_changes >= 0)
);
comment on column private.settings.large_change_percent is 'Larger changes of a value wait for a second person.';
comment on column private.settings.dear_items is 'Changes of this many of the most valuable items wait for a second person.';
comment on column private.settings.new_editor_changes is
  'Changes by an editor with fewer published changes wait for a second person.';
comment on column private.settings.age_limit is 'Younger users need a parent''s consent to write freely.';
comment on column private.settings.new_account_hours is 'How long new accounts are limited to quick talk.';
comment on column private.settings.takes_uploads is 'Whether users may upload their own pictures.';
comment on column private.settings.names_judged_to is 'The last user whose existing name was checked against the current rules.';
comment on column private.settings.site_url is 'Base URL of links in emails to parents; without it none are sent.';
comment on column private.settings.contact_mail_to is 'Recipient of contact messages by mail; null for none.';
comment on column private.settings.contact_key is 'Key of the digests of addresses and ratings, so that they cannot be guessed.';

create function private.digest_address(address text) returns bytea
  language sql stable strict
  set search_path = ''
  as $$ select sha256(convert_to(contact_key || lower(address), 'UTF8')) from private.settings $$;
revoke execute on function private.digest_address(text) from public;

create function private.refuse_truncate() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using
        errcode = 'insufficient_privilege',
        message = format('Rows of %I are never changed or deleted', tg_table_name);
    end
  $$;
