-- The four ad slots. Their rows are part of the schema: admins fill and enable them; nobody adds or removes any.
create table public.ads (
  id uuid not null primary key default gen_random_uuid(),
  placement text not null unique
    constraint ads_placement_is_known
    check (placement in ('values_grid', 'detail_header', 'detail_content', 'detail_sidebar')),
  ad_code text not null default ''
    constraint ads_ad_code_has_at_most_20000_characters check (char_length(ad_code) <= 20000),
  enabled boolean not null default false,
  updated_at timestamptz not null default now()
);
comment on table public.ads is 'Advertisement code by placement; shown only when enabled and not empty.';
comment on column public.ads.ad_code is 'Unsanitized HTML: show it only in a sandboxed frame.';

alter table public.ads enable row level security;
create policy "Everybody sees ads" on public.ads
  for select to anon, authenticated
  using (true);

create policy "Admins change ads" on public.ads
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

grant select on table public.ads to anon, authenticated;
grant update (ad_code, enabled, updated_at) on table public.ads to authenticated;

create trigger ads_stamp_update
  before insert or update on public.ads
  for each row execute function private.stamp_update();
