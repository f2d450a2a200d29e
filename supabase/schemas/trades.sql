-- Saved trades. Only the user who saved a trade can see it; admins cannot. Names, values and totals come from the
-- database and replace what a client sends.
create table public.trade_history (
  id uuid not null primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references public.profiles (id) on delete cascade,
  version smallint not null default 1
    constraint trade_history_version_is_known check (version in (0, 1)),
  your_items jsonb not null
    constraint trade_history_your_items_is_a_list check (jsonb_typeof(your_items) = 'array'),
  their_items jsonb not null
    constraint trade_history_their_items_is_a_list check (jsonb_typeof(their_items) = 'array'),
  your_total numeric not null default 0,
  their_total numeric not null default 0,
  has_unpriced boolean not null default false,
  trade_partner_email text
    constraint trade_history_trade_partner_email_has_at_most_255_characters
    check (char_length(trade_partner_email) <= 255),
  created_at timestamptz not null default now()
);
comment on table public.trade_history is 'Saved trades, with the values as of saving.';
comment on column public.trade_history.version is
  'Format of the entries. 1: {id, name, value, viewMode}, with an optional quantity. 0, the former one: {name, quantity}.';
comment on column public.trade_history.has_unpriced is 'Whether an entry has no value, so that there is no verdict on the totals.';
comment on column public.trade_history.trade_partner_email is 'The owner''s free text; visible to nobody else.';

create index trade_history_user_id_created_at_idx on public.trade_history (user_id, created_at desc);
-- For counting the recently traded items of all users, for editors.
create index trade_history_created_at_idx on public.trade_history (created_at desc);

alter table public.trade_history enable row level security;
create policy "Users see their own trades" on public.trade_history
  for select to authenticated
  using (user_id = (select auth.uid()));

create policy "Users save trades in their own name" on public.trade_history
  for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy "Users delete their own trades" on public.trade_history
  for delete to authenticated
  using (user_id = (select auth.uid()));

create policy "Sessions without the second factor have no access" on public.trade_history
  as restrictive for all to authenticated
  using (not (select private.owes_second_factor()))
  with check (not (select private.owes_second_factor()));

grant select, delete on table public.trade_history to authenticated;
-- Includes the id: a trade that a visitor kept in the browser is saved only once, however often the browser retries.
grant insert (id, user_id, your_items, their_items, your_total, their_total, trade_partner_email)
  on table public.trade_history to authenticated;

create function private.refuse_trade(reason text) returns void
  language plpgsql
  set search_path = ''
  as $$
    begin
      raise exception using errcode = 'invalid_parameter_value', message = reason;
    end
  $$;

-- The item of an entry: by id, as the calculator writes it, or by name, as in older entries.
create function private.find_traded_item(entry jsonb) returns public.items
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      item_id constant text := entry ->> 'id';
      item public.items;
    begin
      if not entry ? 'id' then
        select * into item from public.items
          where lower(items.name) = lower(private.trim_text(entry ->> 'name')) order by slug limit 1;
      elsif item_id ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        select * into item from public.items where items.id = item_id::uuid;
      end if;
      return item;
    end
  $$;

-- One side of a trade with the catalogue's names and values instead of the client's, its total, and whether any of
-- its entries is unpriced. Refuses anything but a list of one to nine known items.
create function private.settle_side(
  side text, entries jsonb, out settled jsonb, out total numeric, out has_unpriced boolean
)
  language plpgsql stable
  set search_path = ''
  as $$
    declare
      entry jsonb;
      item public.items;
      mode text;
      quantity integer;
      value text;
    begin
      settled := '[]';
      total := 0;
      has_unpriced := false;
      if jsonb_typeof(entries) is distinct from 'array' or jsonb_array_length(entries) not between 1 and 9 then
        perform private.refuse_trade(format('%s must be a list of 1 to 9 items', side));
      end if;

      for entry in select * from jsonb_array_elements(entries) loop
        if jsonb_typeof(entry) <> 'object' then
          perform private.refuse_trade(format('Each entry of %s must be an object with the id of an item', side));
        end if;
        item := private.find_traded_item(entry);
        if item.id is null then
          perform private.refuse_trade(format(
            '%s has an item that is not in the catalogue: %s',
            side, left(coalesce(entry ->> 'name', entry ->> 'id', 'no id and no name'), 100)));
        end if;
        mode := coalesce(entry ->> 'viewMode', 'regular');
        if mode not in ('regular', 'permanent') then
          perform private.refuse_trade(format('viewMode of %s must be regular or permanent', item.name));
        end if;
        if coalesce(entry ->> 'quantity', '1') !~ '^[1-9][0-9]{0,2}$' then
          perform private.refuse_trade(format('quantity of %s must be a whole number from 1 to 999', item.name));
        end if;
        quantity := coalesce(entry ->> 'quantity', '1')::integer;
        value := case mode when 'permanent' then item.permanent_value else item.current_value end;

        settled := settled || jsonb_build_array(
          jsonb_build_object('id', item.id, 'name', item.name, 'value', value, 'viewMode', mode)
            || case when entry ? 'quantity' then jsonb_build_object('quantity', quantity) else '{}' end);
        total := total + quantity * coalesce(private.parse_value_text(value), 0);
        has_unpriced := has_unpriced or private.parse_value_text(value) is null;
      end loop;
    end
  $$;

-- Whether a side is in the format before version 1: names and quantities, no ids.
create function private.is_older_side(entries jsonb) returns boolean
  language sql immutable strict
  set search_path = ''
  as $$
    select jsonb_typeof(entries) = 'array' and jsonb_array_length(entries) > 0
      and not exists (
        select from jsonb_array_elements(entries) as entry
        where entry ? 'id' or not (entry ? 'name' and entry ? 'quantity')
      )
  $$;

create function private.settle_trade() returns trigger
  language plpgsql
  set search_path = ''
  as $$
    declare
      yours record;
      theirs record;
    begin
      -- Imported records keep their totals, which were computed from the values of their day. Only the owner and
      -- servers with the secret key can import; totals of client writes are always computed here.
      if not row_security_active('public.trade_history')
        and private.is_older_side(new.your_items) and private.is_older_side(new.their_items) then
        new.version := 0;
        return new;
      end if;

      yours := private.settle_side('your_items', new.your_items);
      theirs := private.settle_side('their_items', new.their_items);
      new.version := 1;
      new.your_items := yours.settled;
      new.their_items := theirs.settled;
      new.your_total := yours.total;
      new.their_total := theirs.total;
      new.has_unpriced := yours.has_unpriced or theirs.has_unpriced;
      -- Only the owner may set the trade partner.
      new.trade_partner_email := case
        when new.user_id = (select auth.uid()) then nullif(private.trim_text(new.trade_partner_email), '')
      end;
      return new;
    end
  $$;

create trigger trade_history_settle_trade
  before insert on public.trade_history
  for each row execute function private.settle_trade();

create trigger trade_history_limit_trades
  after insert on public.trade_history
  for each statement execute function private.limit_own_rows(
    5000, 'You can keep up to 5000 saved trades: delete one to save another'
  );
