-- Notifies the REST service of schema changes, so that it serves a new column without a restart. Only a superuser may
-- create event triggers; without them, send `notify pgrst, 'reload schema'` after a change.

create or replace function extensions.pgrst_ddl_watch() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if exists (
        select from pg_event_trigger_ddl_commands() as command
        where command.schema_name is distinct from 'pg_temp'
          and command.command_tag not like 'ALTER DEFAULT%'
          and command.command_tag not like '%INDEX'
      ) then
        notify pgrst, 'reload schema';
      end if;
    end
  $$;

create or replace function extensions.pgrst_drop_watch() returns event_trigger
  language plpgsql
  set search_path = ''
  as $$
    begin
      if exists (
        select from pg_event_trigger_dropped_objects() as dropped
        where not dropped.is_temporary
          and dropped.object_type in (
            'schema', 'table', 'foreign table', 'view', 'materialized view', 'function', 'trigger', 'type',
            'rule', 'table column', 'table constraint', 'default value'
          )
      ) then
        notify pgrst, 'reload schema';
      end if;
    end
  $$;

do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    return;
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_ddl_watch') then
    create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
  end if;
  if not exists (select from pg_event_trigger where evtname = 'pgrst_drop_watch') then
    create event trigger pgrst_drop_watch on sql_drop execute function extensions.pgrst_drop_watch();
  end if;
end
$$;
