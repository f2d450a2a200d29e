import { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner } from "#tests/helpers/people.ts";

const database = ownDatabase();
const { as } = database;

const { Ana, Ben, Eve } = ACCOUNTS;

type Holder = keyof typeof ACCOUNTS;

/** Rates as that user; the client then acts as the table owner. */
async function rate(client: Client, from: Holder, to: Holder, rating: number, comment: string | null = null) {
  await become(client, from);
  await attempt(
    client,
    `insert into public.user_ratings (rater_id, rated_user_id, rating, comment) values ($1, $2, $3, $4)
     on conflict (rater_id, rated_user_id) do update set rating = excluded.rating, comment = excluded.comment`,
    [ACCOUNTS[from].id, ACCOUNTS[to].id, rating, comment],
  );
  await becomeOwner(client);
}

async function countsOf(client: Client, { id }: { id: string }) {
  const { rows } = await client.query(
    "select rating_count as count, rating_sum as stars from public.profiles where id = $1",
    [id],
  );
  return [rows[0]?.count, rows[0]?.stars];
}

async function list(client: Client, search = "", sort = "name", page = 1) {
  const { rows } = await client.query("select * from public.list_traders($1, $2, $3)", [search, sort, page]);
  return rows;
}

async function show(client: Client, name: string, page = 1) {
  const { rows } = await client.query("select * from public.show_trader($1, $2)", [name, page]);
  return rows;
}

/** Adds traders for several pages, each rated by Ana with 1 to 5 stars in turn. */
async function addTraders(client: Client, count: number) {
  await client.query(
    `insert into auth.users (id, email)
     select ('11111111-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, n || '@example.org'
     from generate_series(1, $1) as n`,
    [count],
  );
  await client.query(
    `update public.profiles set username = 'Trader_' || lpad(right(id::text, 3), 4, '0')
     where id::text like '11111111-%'`,
  );
  await client.query(
    `insert into public.user_ratings (rater_id, rated_user_id, rating)
     select $1, id, 1 + right(id::text, 3)::integer % 5 from public.profiles where id::text like '11111111-%'`,
    [Ana.id],
  );
}

describe("the summary of a trader's ratings", () => {
  test("cannot be written by the rated user", async () => {
    await as("Ana", async (client) => {
      for (const change of ["rating_count = 9", "rating_sum = 45", "rating_count = 9, rating_sum = 45"]) {
        await expect(
          attempt(client, `update public.profiles set ${change} where id = $1`, [Ana.id]),
        ).rejects.toMatchObject({ code: "42501" });
      }
      await expect(
        attempt(client, "select private.add_to_rating_counts($1, '{1}', '{5}')", [[Ana.id]]),
      ).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("is updated when a rating is given, replaced or taken back", async () => {
    await as("Ana", async (client) => {
      await rate(client, "Ana", "Ben", 2);
      await rate(client, "Eve", "Ben", 5);
      expect(await countsOf(client, Ben)).toEqual([2, 7]);
      await rate(client, "Ana", "Ben", 4);
      expect(await countsOf(client, Ben)).toEqual([2, 9]);
      await client.query("delete from public.user_ratings where rater_id = $1", [Eve.id]);
      expect(await countsOf(client, Ben)).toEqual([1, 4]);
      await client.query("delete from auth.users where id = $1", [Ana.id]);
      expect(await countsOf(client, Ben)).toEqual([0, 0]);
    });
  });

  test("counts two simultaneous raters", async () => {
    const people = await Promise.all(
      (["Ana", "Eve"] as const).map(async (person) => {
        const client = new Client({ connectionString: database.url });
        await client.connect();
        await client.query("begin");
        await become(client, person);
        return { client, id: ACCOUNTS[person].id };
      }),
    );
    const insert = "insert into public.user_ratings (rater_id, rated_user_id, rating) values ($1, $2, 4)";
    await people[0]?.client.query(insert, [people[0].id, Ben.id]);
    const second = people[1]?.client.query(insert, [people[1].id, Ben.id]);
    await people[0]?.client.query("commit");
    await second;
    await people[1]?.client.query("commit");
    for (const { client } of people) await client.end();
    const owner = new Client({ connectionString: database.url });
    await owner.connect();
    expect(await countsOf(owner, Ben)).toEqual([2, 8]);
    await owner.query("delete from public.user_ratings");
    await owner.end();
  });
});

describe("the list of traders", () => {
  test("leaves out unlisted users, even for admins and themselves, and names no unlisted rater", async () => {
    await as("Ana", async (client) => {
      await rate(client, "Ana", "Ben", 5, "Quick");
      await client.query("update public.profiles set listed = false where id = $1", [Ana.id]);
      for (const person of ["visitor", "Ben", "Ana", "Eve"] as const) {
        await become(client, person);
        const traders = await list(client);
        expect(traders.map(({ username }) => username)).toEqual([Ben.username, Eve.username]);
        expect(traders[0].recent_ratings).toMatchObject([{ rater: null, rating: 5, comment: "Quick" }]);
        expect(await show(client, Ana.username)).toEqual([]);
      }
    });
  });

  test("shows the three newest ratings of each, newest first", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await addTraders(client, 5);
      await client.query(
        `insert into public.user_ratings (rater_id, rated_user_id, rating, created_at)
         select id, $1, 1 + right(id::text, 3)::integer % 5, now() - right(id::text, 3)::integer * interval '1 day'
         from public.profiles where id::text like '11111111-%'`,
        [Ben.id],
      );
      await become(client, "visitor");
      const [ben] = await list(client, "calmpanda");
      expect(ben).toMatchObject({ username: Ben.username, rating_count: 5, rating_sum: 15, total: 1 });
      expect(ben.recent_ratings.map(({ rater }: { rater: string }) => rater)).toEqual([
        "Trader_0001",
        "Trader_0002",
        "Trader_0003",
      ]);
      expect(Object.keys(ben.recent_ratings[0]).sort()).toEqual([
        "answer",
        "answered_at",
        "comment",
        "created_at",
        "id",
        "rater",
        "rating",
      ]);
    });
  });

  test("is searched by any part of a name, ignoring case; _ matches itself, % matches nothing", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await addTraders(client, 30);
      await become(client, "visitor");
      const found = async (text: string) => (await list(client, text)).length;
      expect(await found(" HERON ")).toBe(1);
      expect(await found("r_000")).toBe(9);
      expect(await found("S_i")).toBe(0);
      expect(await found("%")).toBe(0);
      expect(await found("\\")).toBe(0);
      expect(await found("'; drop table profiles")).toBe(0);
    });
  });

  test("comes in pages of 24, in each order; a page past the end gives the last one", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await addTraders(client, 50);
      await client.query(
        "insert into public.user_ratings (rater_id, rated_user_id, rating) select $1, id, 5 from public.profiles where username = 'Trader_0009'",
        [Ben.id],
      );
      await become(client, "visitor");
      const names = async (sort: string, page: number) =>
        (await list(client, "", sort, page)).map(({ username }) => username);
      const [first, second, last] = [await names("name", 1), await names("name", 2), await names("name", 3)];
      expect([first.length, second.length, last.length]).toEqual([24, 24, 5]);
      expect([await names("name", 99), await names("name", -5)]).toEqual([last, first]);
      const all = [first, second, last].flat();
      expect(all).toEqual(all.toSorted());
      expect(new Set(all).size).toBe(53);
      expect((await names("most", 1))[0]).toBe("Trader_0009");
      expect((await names("best", 1)).slice(0, 3)).toEqual(["Trader_0009", "Trader_0004", "Trader_0014"]);
      expect((await names("best", 3)).slice(-3)).toEqual(
        [Ben.username, Ana.username, Eve.username].toSorted(),
      );
      expect(await names("id; drop", 1)).toEqual(first);
      expect((await list(client))[0].total).toBe(53);
    });
  });
});

test.each(["lower(username)", "rating_score desc, lower(username)", "rating_count desc, lower(username)"])(
  "the list by %s uses an index-only scan: skipped rows are not fetched",
  async (ordering) => {
    await as("visitor", async (client) => {
      // With three rows the planner prefers a sequential scan, or either of two indexes; with fifty thousand it does
      // not.
      await becomeOwner(client);
      await client.query("drop index public.profiles_username_is_unique_regardless_of_case");
      await become(client, "visitor");
      await client.query("set local enable_seqscan = off; set local enable_sort = off");
      const { rows } = await client.query(
        `explain (format json) select id from public.profiles where listed order by ${ordering} offset 1000 limit 24`,
      );
      expect(JSON.stringify(rows)).toContain("Index Only Scan");
    });
  },
);

test("a trader is found by name, ignoring case, with every rating in pages of 20", async () => {
  await as("Ana", async (client) => {
    await becomeOwner(client);
    await addTraders(client, 25);
    await client.query(
      `insert into public.user_ratings (rater_id, rated_user_id, rating)
       select id, $1, 1 + right(id::text, 3)::integer % 5 from public.profiles where id::text like '11111111-%'`,
      [Ben.id],
    );
    await become(client, "visitor");
    const [ben] = await show(client, Ben.username.toUpperCase());
    expect(ben).toMatchObject({ id: Ben.id, trader_name: Ben.username, stars: [5, 5, 5, 5, 5] });
    const [second] = await show(client, Ben.username, 2);
    expect([ben.ratings.length, second.ratings.length]).toEqual([20, 5]);
    expect((await show(client, Ben.username, 7))[0]).toEqual(second);
    expect(await show(client, "CalmPanda2_0")).toEqual([]);
    const [ana] = await show(client, Ana.username);
    expect(ana).toMatchObject({ rating_count: 0, stars: [0, 0, 0, 0, 0], ratings: [] });
  });
});

test("an unlisted rater is named nowhere, but their stars count", async () => {
  await as("Ana", async (client) => {
    await rate(client, "Ana", "Ben", 2, "Slow");
    await client.query("update public.profiles set listed = false where id = $1", [Ana.id]);
    const given = "select rater_id from public.user_ratings where rated_user_id = $1";
    for (const person of ["visitor", "Ben"] as const) {
      await become(client, person);
      expect((await client.query(given, [Ben.id])).rows).toEqual([]);
      const [ben] = await show(client, ACCOUNTS.Ben.username);
      expect(ben).toMatchObject({ rating_count: 1, rating_sum: 2, stars: [0, 1, 0, 0, 0] });
      expect(ben.ratings).toMatchObject([{ rating: 2, comment: "Slow", rater: null }]);
      const [listed] = await list(client, ACCOUNTS.Ben.username);
      expect(listed.recent_ratings).toMatchObject([{ rating: 2, rater: null }]);
    }
    const received = await client.query("select rating, comment, rater from public.list_received_ratings()");
    expect(received.rows).toEqual([{ rating: 2, comment: "Slow", rater: null }]);
    for (const person of ["Ana", "Eve"] as const) {
      await become(client, person);
      expect((await client.query(given, [Ben.id])).rows).toEqual([{ rater_id: Ana.id }]);
    }
  });
});

test("the id of a rating does not tell who gave it, and is the same when it is given again", async () => {
  await database.as("Ana", async (client) => {
    const read = async () =>
      (
        await client.query(
          "select id, md5(rater_id || '/' || rated_user_id)::uuid as guessed from public.user_ratings",
        )
      ).rows;
    await becomeOwner(client);
    await client.query("delete from public.user_ratings");
    await client.query("update public.profiles set listed = true");
    await rate(client, "Ana", "Ben", 5);
    const given = await read();
    expect(given[0].id).not.toBe(given[0].guessed);
    await client.query("delete from public.user_ratings");
    await rate(client, "Ana", "Ben", 4);
    expect(await read()).toEqual(given);
  });
});
