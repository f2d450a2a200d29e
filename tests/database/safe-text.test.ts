import { beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#server/configuration/config.ts";
import { applySettings } from "#server/database/apply-settings.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { readEvasions, readLines } from "./safe-text/corpora.ts";
import { findThrough, isWhole, judge, type Verdict } from "./safe-text/judge.ts";

const database = ownDatabase();
beforeAll(async () => {
  await applySettings(database.url, readConfig({ SITE_NAME: "Fruit Values" }));
});

/** Evasions known to get through. */
const KNOWN_THROUGH = ["lat {52.52} long {13.40}", "im 24/2", "its {mara} underscore {trades}", "{shine}"];

describe("evasions", () => {
  const evasions = ["evasions", "evasions-held-out", "evasions-everyday", "evasions-known-words"].flatMap(
    readEvasions,
  );

  test("number three thousand, no two alike", () => {
    expect(new Set(evasions.map(({ kind, line }) => `${kind} ${line}`)).size).toBeGreaterThan(3_000);
  });

  test("get through in at most one of a hundred cases, all of them listed", {
    timeout: 120_000,
  }, async () => {
    const through = await findThrough(database.owner, evasions);
    expect(through.filter((line) => !KNOWN_THROUGH.includes(line))).toEqual([]);
    expect(through.length / evasions.length).toBeLessThanOrEqual(0.01);
  });
});

describe("harmless lines", () => {
  const lines = ["harmless", "harmless-held-out", "harmless-chat"].flatMap(readLines);

  test("number three thousand, no two alike", () => {
    expect(new Set(lines).size).toBeGreaterThan(3_000);
  });

  test("pass unchanged except for three in a hundred", { timeout: 120_000 }, async () => {
    const verdicts = await judge(database.owner, lines);
    const stopped = lines.filter((_, index) => !isWhole(verdicts[index] as Verdict));
    expect(stopped.length / lines.length, stopped.join("\n")).toBeLessThanOrEqual(0.03);
  });
});

describe("everyday lines", () => {
  test("pass unchanged", { timeout: 60_000 }, async () => {
    const lines = readLines("everyday");
    const verdicts = await judge(database.owner, lines);
    expect(lines.filter((_, index) => !isWhole(verdicts[index] as Verdict))).toEqual([]);
  });
});

describe("a warning", () => {
  test.each([
    "never go first guys",
    "dont give ur password to anyone",
    "be careful of trust trades",
    "scammers always say go first",
    "dont go first, bro",
  ])("%j reaches those whom it warns", async (warning) => {
    expect((await judge(database.owner, [warning])).filter(isWhole)).toHaveLength(1);
  });

  test.each([
    "never go first. give me first",
    "dont go first, u give first then i give",
    "dont give ur password to anyone, give it to me",
    "dont give ur password to anyone, type it here",
    "give ur password",
    "give me ur password, never give it to others",
    "dont share my address",
    "be careful, trust trade with me",
    "u say go first",
  ])("%j is none", async (line) => {
    expect((await judge(database.owner, [line])).filter(isWhole)).toEqual([]);
  });
});

test("somebody in despair is not told to be friendly, but where help is", async () => {
  const despair = ["i want to die", "kill myself", "i dont want to be here anymore", "nobody loves me"];
  for (const { refusal } of await judge(database.owner, despair))
    expect(refusal).toMatch(/^You matter\. Please tell an adult you trust how you feel/);
  const abuse = ["kill urself", "i will kill u", "nobody likes u"];
  for (const { refusal } of await judge(database.owner, abuse))
    expect(refusal).toMatch(/^Please keep it friendly/);
});

describe("a verdict", () => {
  test.each([
    ["add me on maratrades", "add me on ####", ["maratrades"]],
    ["Dragon, or Qzxv?", "Dragon, or ####", ["Qzxv?"]],
    ["go to fruit.me", "go to ####", ["fruit.me"]],
    ["1 000 000 for it", "1,000,000 for it", null],
    ["hahahahaha nonono jajaja", "hahahahaha nonono jajaja", null],
    ["5kits, 5tables", "5kits, 5tables", null],
    ["привет trade", "#### trade", ["привет"]],
  ])("of %j shows %j", async (text, shown, hidden) => {
    expect(await judge(database.owner, [text])).toEqual([{ shown, hidden, refusal: null }]);
  });

  test("reads a digit in front of letters as a letter if that makes a hidden word", async () => {
    const [verdict] = await judge(database.owner, ["this is 5hit"]);
    expect(verdict?.refusal).toBe("Please keep it friendly: a word in this text is not allowed here");
  });

  test("knows the catalog as it changes, with plurals and typos", async () => {
    await database.owner.query("begin");
    expect((await judge(database.owner, ["trading zorbix"]))[0]?.hidden).toEqual(["zorbix"]);
    await database.owner.query(
      "insert into public.items (slug, name, aliases) values ('zorbix', 'Zorbix', 'zorb')",
    );
    expect((await judge(database.owner, ["trading zorbixs for a zorb or zrobix"]))[0]).toMatchObject({
      hidden: null,
    });
    await database.owner.query("update public.items set name = 'Plimbo', aliases = '' where slug = 'zorbix'");
    expect((await judge(database.owner, ["zorbix or plimbo"]))[0]?.hidden).toEqual(["zorbix"]);
    await database.owner.query("rollback");
  });

  test("lets nothing pass if no vocabulary is loaded", async () => {
    await database.owner.query("begin");
    await database.owner.query("delete from private.vocabularies");
    expect((await judge(database.owner, ["hello"]))[0]?.refusal).toBe(
      "Please use words that the site knows: none of this text could be shown",
    );
    await database.owner.query("rollback");
  });

  test("hides a random phone number, however it is split", async () => {
    const { rows } = await database.owner.query(
      `with numbers as (
        select (2000000000 + (n * 7919071::bigint) % 7999999999)::text as digits from generate_series(1, 100) as n
      )
      select part, count(*)::int as count from numbers, unnest($1::text[], $2::text[]) as spelling (shape, part),
        lateral (select regexp_replace(digits, shape, part) as number) as spelled,
        private.judge_text('ok ' || number) as verdict
      where refusal is null and position(number in shown) > 0 group by part`,
      [
        ["^(...)(...)(....)$", "^(..)(..)(..)(..)(..)$", "^(.....)(.....)$", "^(.)(...)(...)(...)$", "$"],
        ["\\1 \\2 \\3", "\\1 \\2 \\3 \\4 \\5", "\\1/\\2", "\\1, \\2 and \\3, \\4", ""],
      ],
    );
    expect(rows.filter(({ count }) => count > 1)).toEqual([]);
  });

  test("is fast for the longest and the strangest text", { timeout: 60_000 }, async () => {
    await database.owner.query("set statement_timeout = '10s'");
    const texts = [
      "a ",
      "1 ",
      "five",
      "5💖",
      "1 000 ",
      ".",
      "one ",
      "@a.",
      "((((",
      "q ",
      "send me ",
      "im 1 ",
      "my mom ",
      "i hate my my my ",
      "my brother plays this ",
    ];
    for (const text of texts) await judge(database.owner, [text.repeat(1_000).slice(0, 1_000)]);
    await database.owner.query("reset statement_timeout");
  });
});

/** Text columns that users write and others read: how they are judged, or why they need not be. */
const WRITTEN: Record<string, string> = {
  "chat_messages.message": "judged",
  "chat_messages.username": "the profile's, whatever was sent",
  "profiles.username": "judged",
  "editor_names.name": "judged",
  "profiles.avatar_url": "an address of one's own upload",
  "user_ratings.comment": "judged",
  "chat_messages.items": "slots of the catalogue",
  "chat_messages.phrase": "an id of ours",
  "chat_messages.trade": "slots of the catalogue",
  "chat_reactions.emoji": "one of a fixed set",
  "reports.reason": "read by moderators alone",
  "reports.code": "one of a fixed set",
  "reports.kind": "one of a fixed set",
  "appeals.message": "read by moderators alone",
  "appeals.answer": "written by moderators",
  "contact_messages.name": "read by the operator alone",
  "contact_messages.email": "read by the operator alone",
  "contact_messages.subject": "read by the operator alone",
  "contact_messages.message": "read by the operator alone",
  "trade_history.trade_partner_email": "read by its writer alone",
};
/** Written by admins and moderators, as the policies say. */
const BY_STAFF =
  "ads case_notes categories chat_silences field_definitions game_updates items page_configurations sanctions status_words".split(
    " ",
  );

test("every text that one user writes and others read is judged", async () => {
  const { rows } = await database.owner.query<{ name: string }>(
    `select relname || '.' || attname as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and not attisdropped
       and atttypid in ('text'::regtype, 'varchar'::regtype) and relname <> all ($1)
       and (has_column_privilege('authenticated', attrelid, attnum, 'insert')
         or has_column_privilege('authenticated', attrelid, attnum, 'update'))`,
    [BY_STAFF],
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.keys(WRITTEN).sort());
  const { rows: triggers } = await database.owner.query<{ name: string }>(
    `select distinct relname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
     join pg_proc on pg_proc.oid = tgfoid where prosrc ~ 'require_known_text|find_username_fault'`,
  );
  const judged = Object.keys(WRITTEN).filter((name) => WRITTEN[name] === "judged");
  expect(triggers.map(({ name }) => name).sort()).toEqual(
    [...new Set(judged.map((name) => name.split(".")[0]))].sort(),
  );
});
