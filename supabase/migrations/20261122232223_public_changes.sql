SET local check_function_bodies = off;

DROP FUNCTION "public"."list_value_changes"(uuid);

CREATE TABLE "public"."editor_names" (
  "id"      uuid NOT NULL DEFAULT gen_random_uuid(),
  "name"    text NOT NULL,
  CONSTRAINT "editor_names_name_has_3_to_20_letters_digits_or_underscores" CHECK ((name ~ '^[A-Za-z0-9_]{3,20}$'::text)),
  CONSTRAINT "editor_names_pkey" PRIMARY KEY (id),
  "user_id" uuid NOT NULL DEFAULT auth.uid(),
  CONSTRAINT "editor_names_user_id_key" UNIQUE (user_id)
);

ALTER TABLE "public"."editor_names"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."editor_names" FROM "anon";

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "reason_code" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "evidence_url" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "changed_as" text;

ALTER TABLE "public"."item_demand_changes"
  ADD COLUMN "is_seconded" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.check_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      fault text;
    begin
      -- The table refuses what is no name by its form.
      if new.name ~ '^[A-Za-z0-9_]{3,20}$' then
        fault := case
          when private.looks_like_admin(new.user_id, new.name)
            or exists (select from public.profiles where lower(username) = lower(new.name) and id <> new.user_id)
            then 'This name is taken'
          else replace(private.find_username_fault(new.name), 'username', 'name')
        end;
      end if;
      if fault is not null then
        raise exception using errcode = 'check_violation', message = fault, hint = 'name';
      end if;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.forget_editor_name()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      delete from public.editor_names where user_id = old.user_id and not exists (
        select from public.user_roles where user_roles.user_id = old.user_id and role in ('admin', 'editor')
      );
      return null;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.looks_like_admin (
  person   uuid,
  username text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  STRICT
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select exists (
      select from public.user_roles
      join public.profiles on profiles.id = user_roles.user_id
      where user_roles.user_id <> person
        and private.look_of_name(profiles.username) = private.look_of_name(looks_like_admin.username)
    ) or exists (
      select from public.editor_names
      where editor_names.user_id <> person
        and private.look_of_name(editor_names.name) = private.look_of_name(looks_like_admin.username)
    )
  $function$;

CREATE OR REPLACE FUNCTION private.record_demand()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
    begin
      insert into public.item_demand_changes (
        item_id, kind, old_word, new_word, reason, changed_by, reason_code, evidence_url, changed_as, is_seconded
      )
      select new.id, word.*, nullif(private.trim_text(new.change_reason), ''), (
          select id from public.profiles
          where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
        ),
        context ->> 'reason_code', context ->> 'evidence_url',
        coalesce(context ->> 'changed_as', case when (select private.is_admin()) then 'admin' end),
        coalesce((context ->> 'is_seconded')::boolean, false)
      from (values ('demand', old.demand, new.demand), ('status', old.status, new.status)) as word (kind, before, after)
      where before is distinct from after;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION public.list_changes (
  of_kind     text    DEFAULT NULL::text,
  item_like   text    DEFAULT NULL::text,
  of_category text    DEFAULT NULL::text,
  of_mode     text    DEFAULT NULL::text,
  of_size     numeric DEFAULT NULL::numeric,
  before      text    DEFAULT NULL::text,
  most        integer DEFAULT 50
)
  RETURNS TABLE (
    kind           text,
    id             bigint,
    mode           text,
    old_value      text,
    new_value      text,
    change_percent numeric,
    reason         text,
    reason_label   text,
    changed_at     timestamp with time zone,
    evidence_url   text,
    changed_as     text,
    is_seconded    boolean,
    editor_name    text,
    item_name      text,
    item_slug      text,
    item_image     text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  ROWS 50
  SET search_path TO ''
  AS $function$
    with start as (
      select found.changed_at, found.source, substring(before from '\d{1,15}$')::bigint as id
      from (
        -- What went with its item stood where the one before it stands.
        (
          select change.changed_at, 'value' as source from public.item_value_changes as change
          where change.id <= substring(before from '^\d{1,15}$')::bigint order by change.id desc limit 1
        )
        union all
        (
          select change.changed_at, 'demand' from public.item_demand_changes as change
          where change.id <= substring(before from '^d(\d{1,15})$')::bigint order by change.id desc limit 1
        )
      ) as found
    ),
    wanted as (
      select items.id, items.name, items.slug, items.image_url from public.items
      where (item_like is null or position(lower(item_like) in lower(items.name)) > 0)
        and (of_category is null or items.category_id = (select categories.id from public.categories where slug = of_category))
    ),
    made as (
      (
        select 'value' as kind, 'value' as source, change.id, change.mode, change.old_value, change.new_value,
          change.change_percent, change.reason, change.reason_code, change.changed_at, change.evidence_url,
          change.changed_as, change.is_seconded, change.changed_by, wanted.name, wanted.slug, wanted.image_url
        from public.item_value_changes as change join wanted on wanted.id = change.item_id
        -- A reading that found the same value again is none.
        where coalesce(change.change_percent <> 0, true)
          and coalesce(of_kind = 'value', true)
          and (of_mode is null or change.mode = of_mode)
          and (of_size is null or abs(change.change_percent) >= of_size)
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'value', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(most, 1000)
      )
      union all
      (
        select change.kind, 'demand', change.id, null, change.old_word, change.new_word, null, change.reason,
          change.reason_code, change.changed_at, change.evidence_url, change.changed_as, change.is_seconded,
          change.changed_by, wanted.name, wanted.slug, wanted.image_url
        from public.item_demand_changes as change join wanted on wanted.id = change.item_id
        where of_mode is null and of_size is null and coalesce(of_kind = change.kind, true)
          and not exists (
            select from public.page_configurations
            where page_name = 'fruit_detail' and not 'demand' = any (visible_fields)
          )
          and change.changed_at <= coalesce((select start.changed_at from start), 'infinity')
          and (before is null or (change.changed_at, 'demand', change.id)
            < (select start.changed_at, start.source, start.id from start))
        order by change.changed_at desc, change.id desc limit least(most, 1000)
      )
    )
    select made.kind, made.id, made.mode, made.old_value, made.new_value, made.change_percent, made.reason,
      chosen.label, made.changed_at, made.evidence_url, made.changed_as, made.is_seconded, editor_names.name,
      made.name, made.slug, made.image_url
    from made
    left join public.value_reasons as chosen on chosen.code = made.reason_code
    left join public.editor_names on editor_names.user_id = made.changed_by
    order by made.changed_at desc, made.source desc, made.id desc limit least(most, 1000)
  $function$;

CREATE OR REPLACE FUNCTION public.list_item_editors (
  of_item uuid
)
  RETURNS TABLE (
    kind        text,
    id          bigint,
    editor_name text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    select 'value', change.id, editor_names.name
    from public.item_value_changes as change
    join public.editor_names on editor_names.user_id = change.changed_by
    where change.item_id = of_item
    union all
    select change.kind, change.id, editor_names.name
    from public.item_demand_changes as change
    join public.editor_names on editor_names.user_id = change.changed_by
    where change.item_id = of_item
  $function$;

CREATE OR REPLACE FUNCTION public.list_value_changes (
  item uuid
)
  RETURNS TABLE (
    id                 bigint,
    mode               text,
    old_value          text,
    new_value          text,
    old_previous_value text,
    new_previous_value text,
    old_checked_at     timestamp with time zone,
    reason             text,
    changed_at         timestamp with time zone,
    changed_by_name    text,
    reason_code        text,
    reason_label       text,
    evidence_url       text,
    changed_as         text,
    is_seconded        boolean,
    editor_name        text
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    begin
      if not private.is_editor() then
        raise exception using
          errcode = 'insufficient_privilege', message = 'Only editors are told who changed a value';
      end if;
      return query
        select change.id, change.mode, change.old_value, change.new_value, change.old_previous_value,
          change.new_previous_value, change.old_checked_at, change.reason, change.changed_at, person.username,
          change.reason_code, chosen.label, change.evidence_url, change.changed_as, change.is_seconded,
          editor_names.name
        from public.item_value_changes as change
        left join public.value_reasons as chosen on chosen.code = change.reason_code
        left join public.profiles as person on person.id = change.changed_by
        left join public.editor_names on editor_names.user_id = change.changed_by
        where change.item_id = item;
    end
  $function$;

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM PUBLIC, "anon";

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_changed_as_is_known" CHECK ((changed_as = ANY (ARRAY['admin'::text, 'editor'::text])));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_evidence_url_has_at_most_500_characters" CHECK ((char_length(evidence_url) <= 500));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_evidence_url_is_a_secure_address" CHECK ((evidence_url ~ '^https://[^\s<>"]+$'::text));

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_reason_code_fkey" FOREIGN KEY (reason_code) REFERENCES public.value_reasons(code) ON DELETE RESTRICT;

CREATE UNIQUE INDEX editor_names_are_unique_regardless_of_case ON public.editor_names USING btree (lower(name));

CREATE INDEX item_demand_changes_changed_at_id_idx ON public.item_demand_changes USING btree (changed_at, id);

CREATE INDEX item_demand_changes_reason_code_idx ON public.item_demand_changes USING btree (reason_code);

CREATE INDEX item_value_changes_changed_at_id_idx ON public.item_value_changes USING btree (changed_at, id);

CREATE TRIGGER editor_names_check_name
  BEFORE INSERT OR UPDATE OF name ON public.editor_names
  FOR EACH ROW
  EXECUTE FUNCTION private.check_editor_name();

CREATE TRIGGER user_roles_forget_editor_name
  AFTER DELETE OR UPDATE ON public.user_roles
  FOR EACH ROW
  EXECUTE FUNCTION private.forget_editor_name();

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."editor_names";

COMMENT ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) IS 'Changes of values, demand and status, the newest first, for everybody.';

COMMENT ON FUNCTION "public"."list_item_editors"(uuid) IS 'The public names of those who changed an item, where they chose one.';

COMMENT ON FUNCTION "public"."list_value_changes"(uuid) IS 'The changes of an item''s values with who made them; for editors.';

COMMENT ON TABLE "public"."editor_names" IS 'The names by which editors stand behind their changes, where they chose one.';

REVOKE ALL ON FUNCTION "private"."check_editor_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_editor_name"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_changes"(text, text, text, text, numeric, text, integer) TO "service_role";

REVOKE ALL ON FUNCTION "public"."list_item_editors"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_item_editors"(uuid) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."list_item_editors"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_item_editors"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_item_editors"(uuid) TO "service_role";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."list_value_changes"(uuid) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."list_value_changes"(uuid) TO "service_role";

REVOKE ALL ON TABLE "public"."editor_names" FROM "authenticated";

REVOKE ALL ("name") ON TABLE "public"."editor_names" FROM "authenticated";

GRANT INSERT ("name"), UPDATE ("name") ON TABLE "public"."editor_names" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."editor_names" TO "authenticated";

REVOKE ALL ON TABLE "public"."editor_names" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_names" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."editor_names" TO "service_role";

REVOKE ALL ("changed_as") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("changed_as") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("reason_code") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("reason_code") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("changed_as") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("changed_as") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("evidence_url") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("evidence_url") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("is_seconded") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("is_seconded") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("reason_code") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("reason_code") ON TABLE "public"."item_demand_changes" TO "authenticated";

ALTER TABLE "public"."editor_names"
  ADD CONSTRAINT "editor_names_user_id_fkey" FOREIGN KEY (user_id) REFERENCES public.profiles(id) ON DELETE CASCADE;

CREATE POLICY "Editors change their own public name" ON "public"."editor_names"
  FOR UPDATE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)))
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors choose a public name of their own" ON "public"."editor_names"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "Editors remove their own public name" ON "public"."editor_names"
  FOR DELETE
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) AND ( SELECT private.is_editor() AS is_editor)));

CREATE POLICY "People see their own public name, editors all" ON "public"."editor_names"
  FOR SELECT
  TO "authenticated"
  USING (((user_id = ( SELECT auth.uid() AS uid)) OR ( SELECT private.is_editor() AS is_editor)));

REVOKE ALL ("user_id") ON TABLE "public"."editor_names" FROM "authenticated";

GRANT INSERT ("user_id") ON TABLE "public"."editor_names" TO "authenticated";
