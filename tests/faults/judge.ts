import { createClient } from "@supabase/supabase-js";
import type { Act, Entry } from "./journal.ts";
import { BUCKET, type Place } from "./test-bed.ts";
import { digest, type Trader } from "./trader.ts";
import { until } from "./until.ts";

/** Problems found, one line each; empty if all is well. */
export type Findings = string[];

/** How many messages of a room are compared. */
const SHOWN = 40;

/** Compares what is stored and shown with what was acknowledged. */
export async function judge(
  testBed: Place,
  entries: readonly Entry[],
  traders: readonly Trader[],
): Promise<Findings> {
  const of = (act: Act) => entries.filter((entry) => entry.act === act);
  return [
    ...(await judgeMessages(testBed, of("message"))),
    ...(await judgeTrades(testBed, of("trade"), of("removal"))),
    ...(await judgeValues(testBed, of("value"))),
    ...(await judgeFiles(testBed, of("file"))),
    ...(await judgeRooms(testBed, traders)),
  ];
}

const outcomes = (entries: readonly Entry[], outcome: Entry["outcome"]) =>
  entries.filter((entry) => entry.outcome === outcome);

function countBy<T>(things: readonly T[], nameOf: (thing: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const thing of things) counts.set(nameOf(thing), (counts.get(nameOf(thing)) ?? 0) + 1);
  return counts;
}

/** Each acknowledged entry exists exactly once, and nothing exists that was not requested. */
function compare(
  what: string,
  entries: readonly Entry[],
  counts: Map<string, number>,
  nameOf: (entry: Entry) => string,
): Findings {
  const asked = new Set(outcomes(entries, "asked").map(nameOf));
  const acknowledged = new Set(outcomes(entries, "acknowledged").map(nameOf));
  return [
    ...[...acknowledged].filter((name) => !counts.has(name)).map((name) => `${what} lost: ${name}`),
    ...[...counts].filter(([, count]) => count > 1).map(([name]) => `${what} doubled: ${name}`),
    ...[...counts.keys()]
      .filter((name) => !asked.has(name))
      .map((name) => `${what} that nobody asked for: ${name}`),
  ];
}

async function judgeMessages(testBed: Place, entries: readonly Entry[]): Promise<Findings> {
  const rows = await testBed.query<{ message: string }>("select message from chat_messages");
  return compare(
    "a message",
    entries,
    countBy(rows, ({ message }) => message),
    ({ of }) => of,
  );
}

async function judgeTrades(
  testBed: Place,
  saved: readonly Entry[],
  removed: readonly Entry[],
): Promise<Findings> {
  const rows = await testBed.query<{ id: string }>("select id::text from trade_history");
  const stored = countBy(rows, ({ id }) => id);
  const gone = new Set(outcomes(removed, "acknowledged").map(({ of }) => of));
  const mayBeGone = new Set(outcomes(removed, "asked").map(({ of }) => of));
  return [
    ...compare(
      "a trade",
      saved.filter(({ of }) => !mayBeGone.has(of) || stored.has(of)),
      stored,
      ({ of }) => of,
    ),
    ...[...gone].filter((id) => stored.has(id)).map((id) => `a removed trade is back: ${id}`),
  ];
}

/** The ledger, the items and the proposals agree. */
async function judgeValues(testBed: Place, entries: readonly Entry[]): Promise<Findings> {
  const nameOf = ({ of, to }: Pick<Entry, "of" | "to">) => `${of} to ${to}`;
  const items = [...new Set(entries.map(({ of }) => of))];
  const ledger = await testBed.query<{ of: string; to: string; from: string }>(
    `select item_id::text as of, new_value as to, old_value as from from item_value_changes
     where item_id = any ($1) and changed_by is not null order by id`,
    [items],
  );
  const values = await testBed.query<{ id: string; value: string; previous: string }>(
    "select id::text, current_value as value, previous_value as previous from items where id = any ($1)",
    [items],
  );
  const proposals = await testBed.query<{ of: string; to: string }>(
    `select item_id::text as of, new_value as to from value_proposals where item_id = any ($1) and state = 'published'`,
    [items],
  );
  const half = values.flatMap(({ id, value, previous }) => {
    const last = ledger.filter(({ of }) => of === id).at(-1);
    const isWhole = !last || (last.to === value && last.from === previous);
    return isWhole ? [] : [`a value half done: ${id} is ${value}, and its ledger ends with ${last.to}`];
  });
  return [
    ...compare("a value", entries, countBy(ledger, nameOf), nameOf),
    ...compare("a proposal", entries, countBy(proposals, nameOf), nameOf),
    ...half,
  ];
}

/** Each name holds the last acknowledged content, or content requested after it; and each row has its complete file. */
async function judgeFiles(testBed: Place, entries: readonly Entry[]): Promise<Findings> {
  const auth = { persistSession: false, autoRefreshToken: false };
  const files = createClient(testBed.address, await testBed.secretKey(), { auth }).storage.from(BUCKET);
  const rows = await testBed.query<{ name: string }>(
    "select name from storage.objects where bucket_id = $1",
    [BUCKET],
  );
  const found: Findings = [];
  for (const name of new Set([...entries.map(({ of }) => of), ...rows.map(({ name }) => name)])) {
    const own = entries.filter(({ of }) => of === name);
    const last = own.findLastIndex(({ outcome }) => outcome === "acknowledged");
    const allowed = new Set(own.slice(Math.max(0, last)).map(({ to }) => to));
    const { data, error } = await files.download(name);
    if (error) {
      if (rows.some((row) => row.name === name)) found.push(`a file half done: ${name} (${error.message})`);
      else if (last >= 0) found.push(`a file lost: ${name}`);
    } else if (!allowed.has(digest(await data.bytes())))
      found.push(`a file is not what was acknowledged: ${name}`);
  }
  return found;
}

/** In the end each open chat shows the newest messages as stored: none missing, none twice. */
async function judgeRooms(testBed: Place, traders: readonly Trader[]): Promise<Findings> {
  const rows = await testBed.query<{ id: string }>(
    `select id::text from chat_messages order by created_at desc, id desc limit ${SHOWN}`,
  );
  const stored = rows.map(({ id }) => id).reverse();
  const shown = ({ room }: Trader) =>
    room
      .current()
      .messages.slice(-SHOWN)
      .map(({ id }) => id);
  const isSame = (trader: Trader) => shown(trader).join() === stored.join();
  await until("chats show what is stored", () => traders.every(isSame)).catch(() => {});
  return traders
    .filter((trader) => !isSame(trader))
    .map((trader) => {
      const ids = shown(trader);
      return `the chat of ${trader.id} is not what is stored: ${stored.filter((id) => !ids.includes(id)).length} missing, ${ids.length - new Set(ids).size} twice`;
    });
}
