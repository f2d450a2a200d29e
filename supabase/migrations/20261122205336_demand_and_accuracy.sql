SET local check_function_bodies = off;

CREATE TABLE "private"."confirmed_values" (
  "id"           bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "item_id"      uuid                     NOT NULL,
  "mode"         text                     NOT NULL,
  "value"        numeric                  NOT NULL,
  "confirmed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "confirmed_values_mode_is_known" CHECK ((mode = ANY (ARRAY['regular'::text, 'permanent'::text]))),
  CONSTRAINT "confirmed_values_pkey" PRIMARY KEY (id),
  CONSTRAINT "confirmed_values_value_is_above_0" CHECK ((value > (0)::numeric))
);

CREATE TABLE "public"."item_demand_changes" (
  "id"         bigint                   GENERATED ALWAYS AS IDENTITY NOT NULL,
  "item_id"    uuid                     NOT NULL,
  "kind"       text                     NOT NULL,
  "old_word"   text,
  "new_word"   text,
  "reason"     text,
  "changed_by" uuid,
  "changed_at" timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT "item_demand_changes_kind_is_known" CHECK ((kind = ANY (ARRAY['demand'::text, 'status'::text]))),
  CONSTRAINT "item_demand_changes_pkey" PRIMARY KEY (id),
  CONSTRAINT "item_demand_changes_reason_has_at_most_200_characters" CHECK ((char_length(reason) <= 200))
);

ALTER TABLE "public"."item_demand_changes"
  ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."status_words" (
  "word"  text    NOT NULL,
  "place" integer NOT NULL DEFAULT 0,
  CONSTRAINT "status_words_pkey" PRIMARY KEY (word),
  CONSTRAINT "status_words_place_is_0_to_9999" CHECK (((place >= 0) AND (place <= 9999))),
  CONSTRAINT "status_words_word_has_1_to_20_characters" CHECK ((char_length(word) <= 20)),
  CONSTRAINT "status_words_word_is_lowercase_letters_and_spaces" CHECK ((word ~ '^[a-z]+( [a-z]+)*$'::text))
);

ALTER TABLE "public"."status_words"
  ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."items"
  ADD COLUMN "status" text;

CREATE OR REPLACE FUNCTION private.record_demand()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      context constant jsonb := private.read_change_context();
    begin
      insert into public.item_demand_changes (item_id, kind, old_word, new_word, reason, changed_by)
      select new.id, word.*, nullif(private.trim_text(new.change_reason), ''), (
        select id from public.profiles
        where id = case when context ? 'changed_by' then (context ->> 'changed_by')::uuid else (select auth.uid()) end
      )
      from (values ('demand', old.demand, new.demand), ('status', old.status, new.status)) as word (kind, before, after)
      where before is distinct from after;
      return new;
    end
  $function$;

CREATE OR REPLACE FUNCTION private.restore_item (
  before public.items,
  reason text
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
    begin
      perform set_config('private.restored_check', before.values_checked_at::text, true);
      perform set_config(
        'private.change_context', (private.read_change_context() || '{"reason_code": "undo"}')::text, true);
      return query
        update public.items set
          name = before.name, slug = before.slug, aliases = coalesce(before.aliases, items.aliases),
          category_id = before.category_id, image_url = before.image_url,
          rarity = before.rarity, demand = before.demand,
          status = (select word from public.status_words where word = before.status), type = before.type, is_permanent = before.is_permanent,
          current_value = before.current_value, previous_value = before.previous_value,
          permanent_value = before.permanent_value, permanent_previous_value = before.permanent_previous_value,
          current_low = before.current_low, current_high = before.current_high,
          permanent_low = before.permanent_low, permanent_high = before.permanent_high,
          beli_price = before.beli_price, robux_price = before.robux_price, custom_fields = before.custom_fields,
          change_reason = restore_item.reason
        where items.id = before.id
        returning items.*;
      perform set_config('private.restored_check', '', true);
      perform set_config('private.change_context', '', true);
    end
  $function$;

CREATE OR REPLACE FUNCTION public.measure_accuracy (
  days integer
)
  RETURNS TABLE (
    category         text,
    trades           integer,
    published_values integer,
    median_error     numeric
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    with published as (
      select distinct on (item_id, mode) item_id, mode, new_number as value
      from public.item_value_changes
      where changed_at <= now() - days * interval '1 day'
      order by item_id, mode, changed_at desc, id desc
    ), traded as (
      select item_id, mode, count(*) as trades, percentile_cont(0.5) within group (order by value::double precision) as median
      from private.confirmed_values
      where confirmed_at > now() - days * interval '1 day' and confirmed_at <= now()
      group by item_id, mode
    ), errors as (
      select coalesce(categories.name, 'Other') as category, trades, abs(published.value - median) / median as error
      from traded
      join published using (item_id, mode)
      join public.items on items.id = item_id
      left join public.categories on categories.id = category_id
      where published.value is not null
    )
    select category, sum(trades)::integer, count(*)::integer,
      case when sum(trades) >= 20 then
        round((100 * percentile_cont(0.5) within group (order by error::double precision))::numeric, 1)
      end
    from errors group by category order by category
  $function$;

CREATE OR REPLACE FUNCTION public.restore_item (
  item_id uuid
)
  RETURNS SETOF public.items
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    declare
      archived public.archived_items;
      place text;
      kept jsonb;
    begin
      if not private.is_admin() and auth.role() is distinct from 'service_role' then
        raise exception using errcode = 'insufficient_privilege', message = 'Only admins restore items';
      end if;
      select * into archived from public.archived_items where id = item_id for update;
      if not found then
        raise exception using errcode = 'PT404', message = 'This item is no longer in the archive';
      end if;
      -- Categories may go while an item is in the archive.
      perform from public.categories where id = (archived.item ->> 'category_id')::uuid for key share;
      if not found then
        archived.item := archived.item || '{"category_id": null}';
      end if;
      if not exists (select from public.status_words where word = archived.item ->> 'status') then
        archived.item := archived.item || '{"status": null}';
      end if;
      begin
        perform private.put_back('public.items', jsonb_build_array(archived.item));
      exception
        when unique_violation then
          raise exception using
            errcode = 'unique_violation',
            message = format('Another item has the slug %s by now: change that one''s slug, then restore %s',
              archived.slug, archived.name);
      end;
      for place, kept in select * from jsonb_each(archived.records) loop
        perform private.put_back(place::regclass, kept);
      end loop;
      delete from public.archived_items where id = item_id;
      return query select * from public.items where id = item_id;
    end
  $function$;

ALTER TABLE "private"."confirmed_values"
  ADD CONSTRAINT "confirmed_values_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_changed_by_fkey" FOREIGN KEY (changed_by) REFERENCES public.profiles(id) ON DELETE SET NULL;

ALTER TABLE "public"."item_demand_changes"
  ADD CONSTRAINT "item_demand_changes_item_id_fkey" FOREIGN KEY (item_id) REFERENCES public.items(id) ON DELETE CASCADE;

ALTER TABLE "public"."items"
  ADD CONSTRAINT "items_status_fkey" FOREIGN KEY (status) REFERENCES public.status_words(word) ON UPDATE CASCADE ON DELETE RESTRICT;

CREATE INDEX confirmed_values_item_id_idx ON private.confirmed_values USING btree (item_id, mode, confirmed_at);

CREATE INDEX item_demand_changes_changed_by_idx ON public.item_demand_changes USING btree (changed_by);

CREATE INDEX item_demand_changes_item_id_id_idx ON public.item_demand_changes USING btree (item_id, id);

CREATE INDEX items_status_idx ON public.items USING btree (status);

CREATE TRIGGER item_demand_changes_keep_record
  BEFORE DELETE OR UPDATE ON public.item_demand_changes
  FOR EACH ROW
  EXECUTE FUNCTION private.keep_item_record('changed_by');

CREATE TRIGGER item_demand_changes_refuse_truncate
  BEFORE TRUNCATE ON public.item_demand_changes
  FOR EACH STATEMENT
  EXECUTE FUNCTION private.refuse_truncate();

CREATE TRIGGER items_a_record_demand
  BEFORE UPDATE ON public.items
  FOR EACH ROW
  WHEN (((pg_trigger_depth() = 0) AND ((old.demand IS DISTINCT FROM new.demand) OR (old.status IS DISTINCT FROM new.status))))
  EXECUTE FUNCTION private.record_demand();

CREATE POLICY "Everybody sees demand changes" ON "public"."item_demand_changes"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

CREATE POLICY "Admins add status words" ON "public"."status_words"
  FOR INSERT
  TO "authenticated"
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins change status words" ON "public"."status_words"
  FOR UPDATE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin))
  WITH CHECK (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Admins delete status words" ON "public"."status_words"
  FOR DELETE
  TO "authenticated"
  USING (( SELECT private.is_admin() AS is_admin));

CREATE POLICY "Everybody sees status words" ON "public"."status_words"
  FOR SELECT
  TO "anon", "authenticated"
  USING (true);

ALTER PUBLICATION "supabase_realtime" ADD TABLE "public"."status_words";

COMMENT ON FUNCTION "public"."measure_accuracy"(integer) IS 'How far values of so many days ago were from the confirmed trades since.';

COMMENT ON TABLE "private"."confirmed_values" IS 'What an item came to in a confirmed trade.';

COMMENT ON TABLE "public"."item_demand_changes" IS 'Every change of an item''s demand or status, oldest first by id.';

COMMENT ON TABLE "public"."status_words" IS 'The words for how an item goes, in the order in which they are offered.';

REVOKE ALL ON FUNCTION "private"."record_demand"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."measure_accuracy"(integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "anon", "authenticated";

REVOKE ALL ON FUNCTION "public"."measure_accuracy"(integer) FROM "postgres";

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "postgres";

GRANT EXECUTE ON FUNCTION "public"."measure_accuracy"(integer) TO "service_role";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "anon";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "anon";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "authenticated";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "authenticated";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "postgres";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "postgres";

REVOKE ALL ON SEQUENCE "public"."item_demand_changes_id_seq" FROM "service_role";

GRANT SELECT, UPDATE, USAGE ON SEQUENCE "public"."item_demand_changes_id_seq" TO "service_role";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "anon";

REVOKE ALL ("changed_at") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("changed_at") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("id") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("id") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("item_id") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("item_id") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("kind") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("kind") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("new_word") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("new_word") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("old_word") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("old_word") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ("reason") ON TABLE "public"."item_demand_changes" FROM "anon";

GRANT SELECT ("reason") ON TABLE "public"."item_demand_changes" TO "anon";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "authenticated";

REVOKE ALL ("changed_at") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("changed_at") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("id") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("id") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("item_id") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("item_id") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("kind") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("kind") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("new_word") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("new_word") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("old_word") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("old_word") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ("reason") ON TABLE "public"."item_demand_changes" FROM "authenticated";

GRANT SELECT ("reason") ON TABLE "public"."item_demand_changes" TO "authenticated";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."item_demand_changes" TO "postgres";

REVOKE ALL ON TABLE "public"."item_demand_changes" FROM "service_role";

GRANT SELECT ON TABLE "public"."item_demand_changes" TO "service_role";

REVOKE ALL ("status") ON TABLE "public"."items" FROM "authenticated";

GRANT INSERT ("status"), UPDATE ("status") ON TABLE "public"."items" TO "authenticated";

REVOKE ALL ON TABLE "public"."status_words" FROM "anon";

GRANT SELECT ON TABLE "public"."status_words" TO "anon";

REVOKE ALL ON TABLE "public"."status_words" FROM "authenticated";

REVOKE ALL ("place") ON TABLE "public"."status_words" FROM "authenticated";

GRANT INSERT ("place"), UPDATE ("place") ON TABLE "public"."status_words" TO "authenticated";

REVOKE ALL ("word") ON TABLE "public"."status_words" FROM "authenticated";

GRANT INSERT ("word"), UPDATE ("word") ON TABLE "public"."status_words" TO "authenticated";

GRANT DELETE, SELECT ON TABLE "public"."status_words" TO "authenticated";

REVOKE ALL ON TABLE "public"."status_words" FROM "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."status_words" TO "postgres";

GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON TABLE "public"."status_words" TO "service_role";

-- Rows that the product needs and nobody types in: they come with the schema, into a fresh database and a hosted one.
-- A schema diff does not see rows, so `npm run schema` adds this file to the migration it writes whenever applying it
-- would change something. Each statement may therefore run again: it adds what is missing and leaves what people changed.

insert into private.settings (only_row) values (true) on conflict do nothing;

-- Words of the catalogue and those that admins take in; languages come from supabase/vocabularies.
insert into private.vocabularies (language, checksum) values ('items', ''), ('site', '') on conflict do nothing;

-- The four ad slots: admins fill and enable them.
insert into public.ads (placement)
values ('values_grid'), ('detail_header'), ('detail_content'), ('detail_sidebar')
on conflict do nothing;

-- The standard fields of the item form.
insert into public.field_definitions (display_order, name, label, type, required, options)
values
  (1, 'name', 'Name', 'text', true, '{}'),
  (2, 'slug', 'Slug', 'text', false, '{}'),
  (3, 'category_id', 'Category', 'select', true, '{}'),
  (4, 'rarity', 'Rarity', 'select', false, '{common,uncommon,rare,legendary,mythical}'),
  (5, 'type', 'Type', 'select', false, '{fruit,gamepass,item,material,weapon,accessory}'),
  (6, 'demand', 'Demand', 'select', false, '{low,medium,high,very_high}'),
  (7, 'current_value', 'Current Value', 'text', false, '{}'),
  (8, 'previous_value', 'Previous Value', 'text', false, '{}')
on conflict do nothing;

-- Pictures of items. The bucket is public: whoever has a picture's address sees it. Only admins list, add, replace and
-- remove pictures.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('item-images', 'item-images', true, 5242880, '{image/jpeg,image/png,image/webp,image/gif}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Pictures of people that a moderator allowed: whoever has a picture's address sees it. The name of a picture says nothing:
-- it is made anew for each, so that no cache shows the old one. Those that wait are seen by their owner and moderators.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('avatars', 'avatars', true, 1048576, '{image/jpeg,image/png,image/webp}'),
  ('avatar-uploads', 'avatar-uploads', false, 1048576, '{image/jpeg,image/png,image/webp}')
on conflict (id) do update set
  public = excluded.public,
  file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types
where (buckets.public, buckets.file_size_limit, buckets.allowed_mime_types)
  is distinct from (excluded.public, excluded.file_size_limit, excluded.allowed_mime_types);

-- Accounts that were there before the site was: every account has a profile.
insert into public.profiles (id, username)
select id, private.generate_username(email) from auth.users
where not exists (select from public.profiles where profiles.id = users.id);

-- What can be said in the chat by tap.
insert into public.quick_phrases (theme, place, id, phrase) values
  ('offer', 1, 'trading-for', 'Trading {item} for {item}'),
  ('offer', 2, 'trading', 'Trading {item}'),
  ('offer', 3, 'i-have', 'I have {item}'),
  ('offer', 4, 'looking-for', 'Looking for {item}'),
  ('offer', 5, 'two-for', 'My {item} and {item} for your {item}?'),
  ('offer', 6, 'i-can-add', 'I can add {item}'),
  ('offer', 7, 'send-offers', 'Send me your offers'),
  ('offer', 8, 'not-trading', 'I am not trading {item}'),
  ('ask', 1, 'is-this-fair', 'Is this fair?'),
  ('ask', 2, 'adds', 'Adds?'),
  ('ask', 3, 'looking-for-what', 'What are you looking for?'),
  ('ask', 4, 'have-what', 'What do you have?'),
  ('ask', 5, 'do-you-have', 'Do you have {item}?'),
  ('ask', 6, 'can-you-add', 'Can you add {item}?'),
  ('ask', 7, 'worth', 'What is {item} worth?'),
  ('ask', 8, 'still-there', 'Is it still there?'),
  ('ask', 9, 'win-or-loss', 'Win, fair or loss?'),
  ('answer', 1, 'deal', 'Deal!'),
  ('answer', 2, 'no-thanks', 'No thanks'),
  ('answer', 3, 'yes', 'Yes'),
  ('answer', 4, 'no', 'No'),
  ('answer', 5, 'maybe-later', 'Maybe later'),
  ('answer', 6, 'too-low', 'Too low'),
  ('answer', 7, 'fair', 'That is fair'),
  ('answer', 8, 'good-offer', 'Good offer!'),
  ('answer', 9, 'let-me-think', 'Let me think'),
  ('answer', 10, 'traded-already', 'I traded it already'),
  ('hello', 1, 'hello', 'Hello!'),
  ('hello', 2, 'good-luck', 'Good luck!'),
  ('hello', 3, 'thanks', 'Thank you!'),
  ('hello', 4, 'nice-trade', 'Nice trade!'),
  ('hello', 5, 'welcome', 'You are welcome'),
  ('hello', 6, 'sorry', 'Sorry'),
  ('hello', 7, 'wait', 'One moment, please'),
  ('hello', 8, 'bye', 'Bye!')
on conflict do nothing;

-- Why values change.
insert into public.value_reasons (place, code, label, is_offered) values
  (1, 'trades_seen', 'Trades were seen at this value', true),
  (2, 'demand_moved', 'More or fewer people want it', true),
  (3, 'game_update', 'The game was updated', true),
  (4, 'correction', 'A mistake was corrected', true),
  (5, 'still_right', 'Looked at and still right', true),
  (6, 'other', 'Another reason', true),
  (7, 'undo', 'A change was taken back', false)
on conflict do nothing;

-- How items go, in the words of players.
insert into public.status_words (place, word) values
  (1, 'stable'),
  (2, 'rising'),
  (3, 'dropping'),
  (4, 'overpaid'),
  (5, 'hyped')
on conflict do nothing;
