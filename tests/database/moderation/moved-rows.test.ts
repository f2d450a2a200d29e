import { copyFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { expect, test } from "vitest";
import { applyBackendSchema } from "#backend/schema/apply-schema.ts";
import { applyMigrations } from "#server/database/apply-migrations.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { ACCOUNTS, addPeople } from "#tests/helpers/people.ts";

const MIGRATIONS = new URL("../../../supabase/migrations/", import.meta.url);

/** A database as it was before a migration, in which people have been active, and the client of its owner. */
async function beforeMigration(
  name: string,
  use: (client: Client, upgrade: () => Promise<unknown>) => Promise<void>,
) {
  const database = await createTestDatabase({ empty: true });
  const before = mkdtempSync(join(tmpdir(), "migrations-"));
  const client = new Client({ connectionString: database.url });
  try {
    await applyBackendSchema(database.url);
    const files = readdirSync(MIGRATIONS).sort();
    const move = files.findIndex((file) => file.endsWith(`_${name}.sql`));
    for (const file of files.slice(0, move)) copyFileSync(new URL(file, MIGRATIONS), join(before, file));
    await applyMigrations(database.url, pathToFileURL(`${before}/`));
    await addPeople(database.url);
    await client.connect();
    await use(client, () => applyMigrations(database.url));
  } finally {
    await client.end();
    rmSync(before, { recursive: true });
    await database.drop();
  }
}

test("reports from before there was one table for all of them are kept, open or closed", async () => {
  await beforeMigration("children_and_moderators", async (client, upgrade) => {
    await client.query(
      `with said as (insert into public.chat_messages (user_id, message) values ($1, 'rude') returning id)
       insert into public.chat_reports (message_id, reporter_id, reason) select id, $2, 'Mean' from said`,
      [ACCOUNTS.Ben.id, ACCOUNTS.Ana.id],
    );
    await client.query(
      `with said as (insert into public.chat_messages (user_id, message) values ($1, 'worse') returning id)
       insert into public.chat_reports (message_id, reporter_id) select id, $2 from said`,
      [ACCOUNTS.Ben.id, ACCOUNTS.Eve.id],
    );
    await client.query("update public.chat_reports set resolved_at = now() where message = 'rude'");
    await upgrade();
    const { rows } = await client.query(
      "select kind, evidence, reason, reporter_id, subject_id = message_id as named, resolved_at is null as open from public.reports order by evidence",
    );
    expect(rows).toEqual([
      {
        kind: "message",
        evidence: "rude",
        reason: "Mean",
        reporter_id: ACCOUNTS.Ana.id,
        named: true,
        open: false,
      },
      {
        kind: "message",
        evidence: "worse",
        reason: null,
        reporter_id: ACCOUNTS.Eve.id,
        named: true,
        open: true,
      },
    ]);
  });
});

test("ends that are farther away than a century become never", async () => {
  await beforeMigration("no_judge_in_ones_own_case", async (client, upgrade) => {
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason, until)
       select $1, kind, 'spam', 'Again', until::timestamptz
       from unnest('{ban,silence}'::text[]) as kind, unnest('{290000-01-01,2099-01-01}'::text[]) as until order by until`,
      [ACCOUNTS.Ben.id],
    );
    await upgrade();
    const { rows } = await client.query(
      `select kind, until::text, banned_until < '9999-01-02' as is_banned from public.sanctions
       join auth.users on users.id = user_id where not isfinite(until) order by kind`,
    );
    expect(rows).toEqual([
      { kind: "ban", until: "infinity", is_banned: true },
      { kind: "silence", until: "infinity", is_banned: true },
    ]);
    const silences = await client.query("select until::text from public.chat_silences");
    expect(silences.rows).toEqual([{ until: "infinity" }]);
  });
});

test("a silence or ban that a shorter one had cut short lasts again, and one alone is left as it is", async () => {
  await beforeMigration("the_longest_silence_or_ban_holds", async (client, upgrade) => {
    const { Ana, Ben } = ACCOUNTS;
    for (const [person, until] of [
      [Ben, "infinity"],
      [Ben, "7 days"],
      [Ana, "7 days"],
    ] as const)
      await client.query(
        `insert into public.sanctions (user_id, kind, code, reason, until)
         select $1, unnest('{ban,silence}'::text[]), 'spam', 'Again', case $2 when 'infinity' then 'infinity' else now() + $2::interval end`,
        [person.id, until],
      );
    await client.query("update auth.users set banned_until = null where id = $1", [Ana.id]);
    const ends = async () =>
      (
        await client.query(
          `select users.id, banned_until > now() + interval '8 days' as banned, until = 'infinity' as silenced
           from auth.users join public.chat_silences on user_id = users.id order by id`,
        )
      ).rows;
    expect(await ends()).toEqual([
      { id: Ana.id, banned: null, silenced: false },
      { id: Ben.id, banned: false, silenced: false },
    ]);
    await upgrade();
    expect(await ends()).toEqual([
      { id: Ana.id, banned: null, silenced: false },
      { id: Ben.id, banned: true, silenced: true },
    ]);
  });
});

test("a waiting picture of a child whose age group was corrected is deleted, and no adult's", async () => {
  await beforeMigration("children_have_no_waiting_pictures", async (client, upgrade) => {
    const { Ana, Ben } = ACCOUNTS;
    await client.query(
      "insert into public.age_bands (user_id, band) values ($1, 'under-13'), ($2, '18-or-older')",
      [Ana.id, Ben.id],
    );
    await client.query(
      "insert into storage.objects (bucket_id, name) select 'avatar-uploads', unnest($1::text[]) || '/me.png'",
      [[Ana.id, Ben.id]],
    );
    await upgrade();
    const { rows } = await client.query("select name from storage.objects");
    expect(rows).toEqual([{ name: `${Ben.id}/me.png` }]);
  });
});

test("ratings get the ids that they would have if given again, and so do reports and sanctions of them", async () => {
  await beforeMigration("edited_and_retaken_texts", async (client, upgrade) => {
    const { Ana, Ben } = ACCOUNTS;
    await client.query(
      `with rated as (
         insert into public.user_ratings (rater_id, rated_user_id, rating, comment) values ($1, $2, 1, 'Slow') returning id
       ), sanctioned as (
         insert into public.sanctions (user_id, kind, code, reason, subject_id) select $1, 'comment', 'insult', 'Be kind', id from rated
       )
       insert into public.user_ratings (rater_id, rated_user_id, rating, comment, created_at)
         values ($2, $1, 1, 'Rude', now() - interval '1 day')`,
      [Ana.id, Ben.id],
    );
    await client.query(
      `insert into public.reports (kind, subject_id, reporter_id)
       select 'rating', id, rated_user_id from public.user_ratings where rater_id = $1`,
      [Ben.id],
    );
    await upgrade();
    const { rows } = await client.query(
      `select rater_id, id = private.derive_rating_id(rater_id, rated_user_id) as moved, created_at < now() - interval '1 hour' as dated,
         exists (select from public.reports where subject_id = user_ratings.id) as reported,
         exists (select from public.sanctions where subject_id = user_ratings.id) as sanctioned
       from public.user_ratings order by rater_id`,
    );
    expect(rows).toEqual([
      { rater_id: Ana.id, moved: true, dated: false, reported: false, sanctioned: true },
      { rater_id: Ben.id, moved: true, dated: true, reported: true, sanctioned: false },
    ]);
  });
});

test("reports and sanctions of a deleted rating get the keyed id that it would have if given again", async () => {
  await beforeMigration("rules_at_the_same_time", async (client, upgrade) => {
    const { Ana, Ben, Eve } = ACCOUNTS;
    await client.query(
      `insert into public.user_ratings (id, rater_id, rated_user_id, rating, comment)
       select md5(rater || '/' || trader)::uuid, rater, trader, 1, 'Slow'
       from (values ($1::uuid, $2::uuid), ($2, $3)) as pair (rater, trader)`,
      [Ana.id, Ben.id, Eve.id],
    );
    await client.query(
      `insert into public.reports (kind, subject_id, reporter_id)
       select 'rating', id, rated_user_id from public.user_ratings where rater_id = $1`,
      [Ana.id],
    );
    // For the answer of the trader, and for a comment of somebody whose rating is not found.
    await client.query(
      `insert into public.sanctions (user_id, kind, code, reason, subject_id) values
         ($2, 'comment', 'insult', 'Be kind', md5($1::uuid || '/' || $2::uuid)::uuid),
         ($1, 'comment', 'insult', 'Be kind', $3)`,
      [Ana.id, Ben.id, Eve.id],
    );
    await client.query("delete from public.user_ratings where rater_id = $1", [Ana.id]);
    await upgrade();
    const given = await client.query("select private.derive_rating_id($1, $2) as id", [Ana.id, Ben.id]);
    const reports = await client.query("select subject_id as id from public.reports");
    expect(reports.rows).toEqual(given.rows);
    const sanctions = await client.query(
      "select subject_id as id from public.sanctions order by user_id = $1",
      [Ana.id],
    );
    expect(sanctions.rows).toEqual([...given.rows, { id: Eve.id }]);
  });
});

test("accounts that were anonymous are as old as their first identity, and others as their creation", async () => {
  await beforeMigration("since_when_a_full_account", async (client, upgrade) => {
    const { Ana, Ben, Eve } = ACCOUNTS;
    await client.query("update auth.users set created_at = '2026-01-01'");
    await client.query(
      `insert into auth.identities (provider_id, user_id, identity_data, provider, created_at) values
         ('a', $1, '{}', 'email', '2026-02-01'), ('b', $1, '{}', 'github', '2026-03-01'), ('c', $2, '{}', 'email', '2026-01-01')`,
      [Ana.id, Ben.id],
    );
    await upgrade();
    await client.query("delete from auth.identities where provider_id = 'a'");
    const { rows } = await client.query(
      "select private.find_account_start(id)::date::text as start from unnest($1::uuid[]) with ordinality as t (id, place) order by place",
      [[Ana.id, Ben.id, Eve.id]],
    );
    expect(rows.map(({ start }) => start)).toEqual(["2026-02-01", "2026-01-01", "2026-01-01"]);
  });
});
