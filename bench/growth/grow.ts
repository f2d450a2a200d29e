import type { Client } from "pg";

/** Row counts of a site after years of use. */
const GROWN = {
  items: 10_000,
  traders: 50_000,
  messages: 1_000_000,
  trades: 1_000_000,
  objects: 1_000_000,
};

export type Holdings = typeof GROWN;

/** The current row count of each table. */
export async function countHoldings(client: Client): Promise<Holdings> {
  const { rows } = await client.query<Record<keyof Holdings, string>>(
    `select (select count(*) from public.items) as items, (select count(*) from public.profiles) as traders,
       (select count(*) from public.chat_messages) as messages, (select count(*) from public.trade_history) as trades,
       (select count(*) from storage.objects) as objects`,
  );
  const [row] = rows;
  if (!row) throw new Error("nothing was counted");
  const { items, traders, messages, trades, objects } = row;
  return {
    items: Number(items),
    traders: Number(traders),
    messages: Number(messages),
    trades: Number(trades),
    objects: Number(objects),
  };
}

/**
 * Fills the tables while no site runs. Triggers are disabled: they validate user input row by row, and these rows are
 * not user input. The user `owner` gets as many of the trades as everybody else.
 */
export async function grow(client: Client, owner: string): Promise<void> {
  await client.query("set session_replication_role = replica");
  const { items, traders, messages, trades, objects } = GROWN;
  await client.query(
    `insert into public.items (name, slug, current_value, previous_value, category_id)
     select 'Ware ' || n, 'ware-' || n, (n * 7 % 90001)::text, (n * 5 % 90001)::text,
       (select id from public.categories limit 1)
     from generate_series(1, $1::int) n`,
    [items],
  );
  await client.query(
    `insert into auth.users (id, aud, role, email, created_at, updated_at)
     select md5(n::text)::uuid, 'authenticated', 'authenticated', 'trader' || n || '@example.org', now(), now()
     from generate_series(1, $1::int) n`,
    [traders],
  );
  await client.query(
    `insert into public.profiles (id, username, listed, rating_count, rating_sum)
     select md5(n::text)::uuid, 'Trader' || n, true, n % 40, n % 40 * (1 + n % 5) from generate_series(1, $1::int) n`,
    [traders],
  );
  await client.query(
    `insert into public.chat_messages (user_id, username, message, created_at)
     select md5((1 + n % $2::int)::text)::uuid, 'Trader' || 1 + n % $2::int, 'I trade kitsune for dough',
       now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [messages, traders],
  );
  await client.query(
    `insert into public.trade_history (user_id, your_items, their_items, your_total, their_total, created_at)
     select case when n % $2::int = 0 then $3::uuid else md5((n % $2::int)::text)::uuid end, '[]', '[]', n, n + 1,
       now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [trades, traders, owner],
  );
  await client.query(
    `insert into storage.objects (bucket_id, name, version, metadata)
     select 'bench', 'shelf/' || lpad((n / 1000)::text, 4, '0') || '/' || md5(n::text), gen_random_uuid()::text, '{}'
     from generate_series(1, $1::int) n`,
    [objects],
  );
  await client.query("set session_replication_role = origin");
  await client.query("vacuum analyze");
}
