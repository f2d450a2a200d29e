SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.list_work (
  most integer DEFAULT 30
)
  RETURNS TABLE (
    item_id     uuid,
    score       numeric,
    weeks       numeric,
    traders     integer,
    spread      numeric,
    game_update text,
    waiting     integer,
    due         integer
  )
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
    #variable_conflict use_column
    begin
      perform private.require_editor();
      return query
        with ranges as (
          select item_id, max(spread) as spread, max(game_update) as game_update from public.list_value_ranges() group by 1
        ), parts as (
          select items.id, items.name,
            round(extract(epoch from now() - items.values_checked_at) / 604800, 2) as weeks,
            coalesce(traded.traders, 0) as traders, coalesce(ranges.spread, 0) as spread, ranges.game_update
          from public.items
          left join ranges on ranges.item_id = items.id
          left join private.count_item_traders() as traded on traded.item_id = items.id
          where items.values_checked_at < now() - interval '1 day' and not exists (
            select from public.work_skips as skip
            where skip.item_id = items.id and skip.editor_id = (select auth.uid())
              and skip.skipped_at > now() - interval '1 day'
          ) and not exists (
            select from public.value_proposals as mine
            where mine.item_id = items.id and mine.proposed_by = (select auth.uid()) and mine.state = 'waiting'
          )
        ), scored as (
          select parts.*, private.work_score(weeks, traders, spread, game_update is not null) as score,
            count(*) over ()::integer as due
          from parts
        )
        select id, score, weeks, traders, spread, game_update,
          (select count(*)::integer from public.value_proposals as proposal
            where proposal.item_id = scored.id and proposal.state = 'waiting'),
          due
        from scored
        order by score desc, name, id
        limit least(greatest(list_work.most, 1), 200);
    end
  $function$;
