import { createHash, randomUUID } from "node:crypto";
import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { readConfig } from "#server/configuration/config.ts";
import { applySettings } from "#server/database/apply-settings.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";

/** As long as a request allows; a filter would need half a minute to read it. */
const ENDLESS = "ab ".repeat(1_000_000);

const database = ownDatabase();
const { as } = database;

async function signUp(client: Client, email: string | null): Promise<string> {
  const id = randomUUID();
  await client.query("insert into auth.users (id, email) values ($1, $2)", [id, email]);
  const { rows } = await client.query("select username from public.profiles where id = $1", [id]);
  return rows[0].username;
}

/** Runs as the owner, as the authentication service does when it creates accounts. */
const asService = <Result>(scene: (client: Client) => Promise<Result>) =>
  as("visitor", async (client) => {
    await becomeOwner(client);
    return scene(client);
  });

describe("a username made at sign-up", () => {
  test("is well-formed, unique, and contains no part of the email address", async () => {
    await asService(async (client) => {
      const names = new Set<string>();
      for (let turn = 0; turn < 200; turn += 1) {
        const username = await signUp(client, `otter.swift${turn}@crab.example`);
        expect(username).toMatch(/^[A-Z][a-z]+[A-Z][a-z]+\d{3,4}$/);
        expect(username.length).toBeLessThanOrEqual(20);
        expect(username.toLowerCase()).not.toMatch(/otter|swift|crab/);
        names.add(username.toLowerCase());
      }
      expect(names.size).toBe(200);
    });
  });

  test("does not contain a short address either, and needs no address at all", async () => {
    await asService(async (client) => {
      for (const email of ["ana@b.example", "sea@b.example", "ton@b.example", null]) {
        const local = email?.split("@")[0] ?? "@";
        for (let turn = 0; turn < 20; turn += 1) {
          const username = await signUp(client, email?.replace("@", `@${turn}`) ?? null);
          expect(username.toLowerCase()).not.toContain(local);
        }
      }
    });
  });

  test("is still found when every word occurs in the address", async () => {
    await asService(async (client) => {
      const { rows } = await client.query("select prosrc from pg_proc where proname = 'generate_username'");
      const words = [...rows[0].prosrc.matchAll(/'([A-Z][a-z]+)'/g)].map(([, word]) => word).join("");
      const { rows: names } = await client.query("select private.generate_username($1) as name", [
        `${words}@b.example`,
      ]);
      expect(names[0].name).toMatch(/^Trader[0-9a-f]{12}$/);
    });
  });

  test("is made of known words that do not form another word when joined", async () => {
    await asService(async (client) => {
      const { rows } = await client.query("select prosrc from pg_proc where proname = 'generate_username'");
      const [adjectives, nouns] = [...rows[0].prosrc.matchAll(/array\[([^\]]+)\]/g)].map(([, list]) =>
        [...list.matchAll(/'(\w+)'/g)].map(([, word]) => word),
      ) as [string[], string[]];
      expect(adjectives.length * nouns.length).toBeGreaterThan(3000);
      const { rows: bad } = await client.query(
        "select name, fault from unnest($1::text[]) as name, private.find_username_fault(name) as fault where fault is not null",
        [[...adjectives, ...nouns].map((word) => `${word}${word}`)],
      );
      expect(bad).toEqual([]);
    });
  });
});

const AGE = "A username may not tell how old you are: please take another number";
const WORDS = "A username is made of words that the site knows: try one of the suggestions";

describe("a chosen username", () => {
  const rename = (client: Client, username: string) =>
    attempt(client, "update public.profiles set username = $2 where id = $1", [ACCOUNTS.Ana.id, username]);

  test.each(["ab", "a".repeat(21), "ana maria", "ana@b", "añá", "a-b-c", "ana\n", "", "<b>ana"])(
    "%j is malformed",
    async (username) => {
      await as("Ana", async (client) => {
        await expect(rename(client, username)).rejects.toMatchObject({
          constraint: "profiles_username_has_3_to_20_letters_digits_or_underscores",
        });
      });
    },
  );

  test.each([
    ["NiceFuckHead", "This username is not allowed"],
    ["sh1t_lord", "This username is not allowed"],
    ["the_bastard", "This username is not allowed"],
    ["Admin", "This username is reserved"],
    ["moderator_99", "This username is reserved"],
    ["Anonymous", "This username is reserved"],
    ["TheAdmin", "This username is reserved"],
    ["Adm1n", "This username is reserved"],
    ["a_d_m_i_n", "This username is reserved"],
    ["administrators_cat", "This username is reserved"],
    ["M0derator", "This username is reserved"],
    ["Mod_Ana", "This username is reserved"],
    ["ModTeam", "This username is reserved"],
    ["Offlcial", "This username is reserved"],
    ["SUPPORT_7", "This username is reserved"],
    ["xX_adm1n_Xx", "This username is reserved"],
    ["FruitStaff", "This username is reserved"],
    ["GamerRobot", "This username is reserved"],
    ["ValueTeam", "This username is reserved"],
    ["The_Team", "This username is reserved"],
    ["VerifiedFox", "This username is reserved"],
    ["SafeTrader", "This username is reserved"],
    ["rip_indra", "This username is reserved"],
    ["R0BL0X_Fan", "This username is reserved"],
    ["Sunny12345", "A username can have at most four digits"],
    ["CoolTiger12", AGE],
    ["girl_11yo", AGE],
    ["tiger2012", AGE],
    ["loli_lover", WORDS],
    ["freefruits_com", WORDS],
    ["MaraTrades", WORDS],
    ["TheRapist", "This username is not allowed"],
    ["Fu_Ck_You", "This username is not allowed"],
    ["5551234567", "A username may not be a phone number"],
    ["TigerDiscord21", "A username may not say where to find you elsewhere"],
    ["snap_ana05", "A username may not say where to find you elsewhere"],
    ["ana_gmail_com", "A username may not say where to find you elsewhere"],
  ])("%s: %s", async (username, message) => {
    await as("Ana", async (client) => {
      await expect(rename(client, username)).rejects.toMatchObject({ code: "23514", message });
    });
  });

  test("cannot pose as the site itself, whatever the site's name and the spelling", async () => {
    const refused = async (username: string) =>
      await as("Ana", (client) =>
        rename(client, username).then(
          () => false,
          ({ message }) => message,
        ),
      );
    await applySettings(database.url, readConfig({ SITE_NAME: "Fruit Values" }));
    for (const username of ["FruitValues", "Fru1t_Va1ues_Team", "TheFruitValuesCat", "FruitValue"]) {
      expect(await refused(username), username).toBe("This username is reserved");
    }
    expect(await refused("FruitTrader")).toBe(false);
    // A short site name occurs inside many ordinary words.
    await applySettings(database.url, readConfig({ SITE_NAME: "Crew!" }));
    expect(await refused("C_r3w")).toBe("This username is reserved");
    expect(await refused("ScrewCat")).not.toBe("This username is reserved");
    expect(await refused("CreamCat")).toBe(false);
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
    expect(await refused("FruitValues")).toBe(false);
  });

  test("of any length is refused at once", async () => {
    await as("Ana", async (client) => {
      await client.query("set local statement_timeout = '2s'");
      await expect(rename(client, ENDLESS)).rejects.toMatchObject({ code: "23514" });
    });
  });

  test("that is taken is refused, ignoring case", async () => {
    await as("Ana", async (client) => {
      await expect(rename(client, ACCOUNTS.Ben.username.toUpperCase())).rejects.toMatchObject({
        code: "23505",
      });
    });
  });

  test("may not be confusable with another trader's, listed or not", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query("update public.profiles set username = 'WildOwl105', listed = false where id = $1", [
        ACCOUNTS.Ben.id,
      ]);
      await become(client, "Ana");
      for (const username of ["Wild_Owl105", "wildowl_105", "WILDOWL1_05"]) {
        await expect(rename(client, username)).rejects.toMatchObject({
          code: "23514",
          message: "This username looks like that of another trader: please take another",
        });
      }
      expect((await rename(client, "Wild_Owl106")).rowCount).toBe(1);
      expect((await rename(client, "WildOwl106")).rowCount).toBe(1);
    });
  });

  test("may not be confusable with an admin's, in words that do not tell who is one", async () => {
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query("update public.profiles set username = 'CaptainTidal' where id = $1", [
        ACCOUNTS.Eve.id,
      ]);
      await become(client, "Ana");
      for (const username of ["CaptainTidaI", "Captain_T1dal"])
        await expect(rename(client, username)).rejects.toMatchObject({ code: "23514" });
      for (const username of ["Captain_Tidal", "captain_tidal", "CaptainTidal_"]) {
        await expect(rename(client, username)).rejects.toMatchObject({
          message: "This username looks like that of another trader: please take another",
        });
      }
      await expect(rename(client, "captaintidal")).rejects.toMatchObject({ code: "23505" });
      expect((await rename(client, "CaptainTidal2")).rowCount).toBe(1);
    });
  });

  test.each([
    "Sea_Dog_7",
    "cool_tiger_99",
    "cooltigertrader",
    "DoughKing",
    "KitsuneMain4821",
    "xXDarkBladeXx",
    "ModernCastle",
  ])("%s is fine", async (username) => {
    await as("Ana", async (client) => {
      expect((await rename(client, username)).rowCount).toBe(1);
    });
  });

  test("a picture must be the user's own upload on this site: another host would learn who views it", async () => {
    const address = (path: string) => `/storage/v1/object/public/${path}`;
    const own = address(`avatars/${ACCOUNTS.Ana.id}/new-1.webp`);
    await as("Ana", async (client) => {
      const draw = (url: string | null) =>
        attempt(client, "update public.profiles set avatar_url = $1 where id = auth.uid()", [url]);
      for (const url of [
        "javascript:alert(1)",
        "https://tracker.example/pixel.png",
        `https://tracker.example${own}`,
        `//tracker.example${own}`,
        address(`avatars/${ACCOUNTS.Ben.id}/new-1.webp`),
        address("item-images/new-1.webp"),
        `${own}?x`,
        own.replace("new-1", "../new-1"),
        own.replace("webp", "svg"),
      ]) {
        await expect(draw(url), url).rejects.toMatchObject({ code: "23514" });
      }
      for (const url of ["/items/west-dragon.svg#blue", "/items/west-dragon.svg", "/items/no-such.svg#teal"])
        await expect(draw(url), url).rejects.toMatchObject({ code: "23514" });
      expect((await draw("/items/west-dragon.svg#teal")).rowCount).toBe(1);
      // Without a picture that a moderator approved, the address would be words for everybody to read.
      await expect(draw(own)).rejects.toMatchObject({
        code: "23514",
        message: "This picture is not allowed",
      });
      await becomeOwner(client);
      await client.query("insert into storage.objects (bucket_id, name) values ('avatars', $1)", [
        `${ACCOUNTS.Ana.id}/new-1.webp`,
      ]);
      await become(client, "Ana");
      expect((await draw(own)).rowCount).toBe(1);
      expect((await draw(null)).rowCount).toBe(1);
    });
  });

  test("a picture is deleted when its profile stops showing it, and when its user leaves", async () => {
    const name = (file: string) => `${ACCOUNTS.Ana.id}/${file}.webp`;
    await as("Ana", async (client) => {
      const stored = async () => {
        const { rows } = await client.query("select name from storage.objects where bucket_id = 'avatars'");
        return rows.map((row) => row.name);
      };
      // Stands in for the move when a moderator approves it.
      const add = async (file: string) => {
        await becomeOwner(client);
        await client.query("insert into storage.objects (bucket_id, name) values ('avatars', $1)", [file]);
        await become(client, "Ana");
      };
      const draw =
        "update public.profiles set avatar_url = '/storage/v1/object/public/avatars/' || $1::text where id = auth.uid()";
      await add(name("one"));
      await client.query(draw, [name("one")]);
      await add(name("two"));
      await client.query(draw, [name("two")]);
      expect(await stored()).toEqual([name("two")]);
      await becomeOwner(client);
      await client.query("delete from auth.users where id = $1", [ACCOUNTS.Ana.id]);
      expect(await stored()).toEqual([]);
    });
  });
});

describe("an unlisted user", () => {
  test("is visible only to themselves and admins, as are the ratings they got, and cannot be rated", async () => {
    await as("Ana", async (client) => {
      const rate = (rated: string) =>
        attempt(client, "insert into public.user_ratings (rated_user_id, rating) values ($1, 5)", [rated]);
      await rate(ACCOUNTS.Ben.id);
      await become(client, "Ben");
      await client.query("update public.profiles set listed = false where id = auth.uid()");

      const seen = async (person: Person) => {
        await become(client, person);
        const profiles = await client.query("select from public.profiles where id = $1", [ACCOUNTS.Ben.id]);
        const ratings = await client.query("select from public.user_ratings where rated_user_id = $1", [
          ACCOUNTS.Ben.id,
        ]);
        return [profiles.rowCount, ratings.rowCount];
      };
      expect(await seen("visitor")).toEqual([0, 0]);
      expect(await seen("Ana")).toEqual([0, 0]);
      expect(await seen("Ben")).toEqual([1, 1]);
      expect(await seen("Eve")).toEqual([1, 1]);

      await expect(rate(ACCOUNTS.Ben.id)).rejects.toMatchObject({ code: "42501" });
    });
  });
});

describe("ratings", () => {
  const rate = (client: Client, row: Record<string, unknown>, conflict = "") => {
    const full = { rater_id: ACCOUNTS.Ana.id, rated_user_id: ACCOUNTS.Ben.id, rating: 5, ...row };
    const names = Object.keys(full);
    return attempt(
      client,
      `insert into public.user_ratings (${names}) values (${names.map((_, index) => `$${index + 1}`)}) ${conflict} returning *`,
      Object.values(full),
    );
  };
  const UPSERT = `on conflict (rater_id, rated_user_id) do update set rater_id = excluded.rater_id,
    rated_user_id = excluded.rated_user_id, rating = excluded.rating, comment = excluded.comment`;

  test.each([
    ["in another's name", { rater_id: ACCOUNTS.Eve.id }, { code: "42501" }],
    [
      "of oneself",
      { rated_user_id: ACCOUNTS.Ana.id },
      { constraint: "user_ratings_nobody_rates_themselves" },
    ],
    ["of nobody", { rated_user_id: randomUUID() }, { code: "42501" }],
    ["with a link", { comment: "see www.example.org" }, { message: "Links are not allowed here" }],
    ["with a bad word", { comment: "what a bastard" }, { code: "23514" }],
    ["with too long a comment", { comment: "😀".repeat(501) }, { code: "23514" }],
  ])("are refused %s", async (_, row, error) => {
    await as("Ana", async (client) => {
      await expect(rate(client, row)).rejects.toMatchObject(error);
    });
  });

  test("with a comment of any length are refused at once", async () => {
    await as("Ana", async (client) => {
      await client.query("set local statement_timeout = '2s'");
      await expect(rate(client, { comment: ENDLESS })).rejects.toMatchObject({
        constraint: "user_ratings_comment_has_at_most_500_characters",
      });
    });
  });

  test("exist once per rater and trader: a second is a conflict, an upsert replaces it", async () => {
    await as("Ana", async (client) => {
      const { rows: first } = await rate(client, { rating: 2, comment: "   " });
      expect(first[0]).toMatchObject({ rating: 2, comment: null });
      await expect(rate(client, { rating: 4 })).rejects.toMatchObject({ code: "23505" });
      const { rows: second } = await rate(client, { rating: 4, comment: " Fair " }, UPSERT);
      expect(second[0]).toMatchObject({ id: first[0].id, rating: 4, comment: "Fair" });
      expect((await client.query("select from public.user_ratings")).rowCount).toBe(1);
    });
  });

  test("keep the comment when an upsert changes the stars only, also one that would be refused by now", async () => {
    await as("Ana", async (client) => {
      await rate(client, { comment: "Fair" });
      await becomeOwner(client);
      await client.query("set local session_replication_role = replica");
      const link = "see www.example.org";
      await client.query("update public.user_ratings set comment = $1", [link]);
      await client.query("set local session_replication_role = origin");
      await client.query(
        `insert into public.sanctions (user_id, kind, code, reason)
         select $1, 'picture', 'other', 'x' from generate_series(1, 3)`,
        [ACCOUNTS.Ana.id],
      );
      await become(client, "Ana");
      const { rows } = await rate(client, { rating: 2, comment: link }, UPSERT);
      expect(rows).toMatchObject([{ rating: 2, comment: link }]);
      await expect(rate(client, { comment: "Nice" }, UPSERT)).rejects.toMatchObject({ detail: "strikes" });
    });
  });

  test("cannot be moved to another trader", async () => {
    await as("Ana", async (client) => {
      await rate(client, {});
      await expect(
        attempt(client, "update public.user_ratings set rated_user_id = $1", [ACCOUNTS.Eve.id]),
      ).rejects.toMatchObject({ message: "A rating stays with its rater and its trader" });
    });
  });

  test("the operator can ask for a minimum age of accounts", async () => {
    await applySettings(database.url, readConfig({ RATING_MIN_ACCOUNT_AGE: "3600" }));
    await as("Ana", async (client) => {
      await expect(rate(client, {})).rejects.toMatchObject({
        code: "42501",
        message: "Your account is too new to rate traders",
      });
      await becomeOwner(client);
      await client.query("update auth.users set created_at = now() - interval '61 minutes'");
      await become(client, "Ana");
      expect((await rate(client, {})).rowCount).toBe(1);
    });
    // An account that was anonymous until now: its address and providers may change later, which does not make it new.
    await as("Ana", async (client) => {
      await becomeOwner(client);
      await client.query(
        "update auth.users set created_at = now() - interval '61 minutes', is_anonymous = true",
      );
      await client.query("update auth.users set is_anonymous = false");
      await become(client, "Ana");
      await expect(rate(client, {})).rejects.toMatchObject({ code: "42501" });
      await becomeOwner(client);
      await client.query("update private.full_accounts set since = now() - interval '61 minutes'");
      await client.query(
        "insert into auth.identities (provider_id, user_id, identity_data, provider, created_at) values ('x', $1, '{}', 'email', now())",
        [ACCOUNTS.Ana.id],
      );
      await client.query("update auth.users set email_confirmed_at = now(), is_anonymous = false");
      await become(client, "Ana");
      expect((await rate(client, {})).rowCount).toBe(1);
    });
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
    await as("Ana", async (client) => {
      expect((await rate(client, {})).rowCount).toBe(1);
    });
  });
});

describe("contact messages", () => {
  const write = (client: Client, email: string, message = "M") =>
    attempt(
      client,
      "insert into public.contact_messages (name, email, subject, message) values ('A', $1, 'S', $2)",
      [email, message],
    );

  test("are not accepted by default", async () => {
    await as("visitor", async (client) => {
      await expect(write(client, "ana@example.org")).rejects.toMatchObject({ code: "42501" });
    });
  });

  test("are accepted if the operator enables them, three an hour per reply address", async () => {
    await applySettings(database.url, readConfig({ CONTACT_DELIVERY: "database" }));
    await as("visitor", async (client) => {
      for (const message of ["1", "2", "3"]) await write(client, "ana@example.org", message);
      await expect(write(client, "Ana@example.org", "4")).rejects.toMatchObject({ code: "PT429" });
      await write(client, "ben@example.org");
      await expect(attempt(client, "select from public.contact_messages")).rejects.toMatchObject({
        code: "42501",
      });
      await become(client, "Eve");
      expect((await client.query("select from public.contact_messages")).rowCount).toBe(4);
    });
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
  });

  test("are stored and counted once if the same one comes again", async () => {
    await applySettings(database.url, readConfig({ CONTACT_DELIVERY: "database" }));
    await as("visitor", async (client) => {
      for (let sent = 0; sent < 4; sent += 1) await write(client, "ana@example.org");
      await write(client, "ana@example.org", "Another one");
      await become(client, "Eve");
      expect((await client.query("select from public.contact_messages")).rowCount).toBe(2);
    });
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
  });

  test("are limited to ten an hour per sender, without blocking others, and to a hundred in ten minutes overall", async () => {
    await applySettings(database.url, readConfig({ CONTACT_DELIVERY: "database" }));
    await as("visitor", async (client) => {
      let sent = 0;
      const writeTen = async () => {
        for (const last = sent + 10; sent < last; sent += 1) await write(client, `ana${sent}@example.org`);
      };
      await comeFrom(client, "203.0.113.1");
      await writeTen();
      await expect(write(client, "more@example.org")).rejects.toMatchObject({ code: "PT429" });
      // Signed-in senders are counted by account, whatever network they write from.
      await become(client, "Ana");
      await writeTen();
      await comeFrom(client, "203.0.113.2");
      await expect(write(client, "more@example.org")).rejects.toMatchObject({ code: "PT429" });
      await become(client, "Ben");
      await writeTen();
      await become(client, "visitor");
      for (let network = 10; network < 17; network += 1) {
        await comeFrom(client, `203.0.113.${network}`);
        await writeTen();
      }
      await comeFrom(client, "203.0.113.99");
      await expect(write(client, "more@example.org")).rejects.toMatchObject({ code: "PT429" });
    });
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
  });

  test("store no network address, and after an hour nothing about who sent them", async () => {
    await applySettings(database.url, readConfig({ CONTACT_DELIVERY: "database" }));
    await as("visitor", async (client) => {
      await comeFrom(client, "203.0.113.1");
      await write(client, "ana@example.org");
      await becomeOwner(client);
      const { rows } = await client.query("select sender from private.contact_paces");
      expect(rows).toHaveLength(1);
      expect(rows[0].sender).toHaveLength(32);
      for (const known of ["203.0.113.1", ""])
        expect(rows[0].sender).not.toEqual(createHash("sha256").update(known).digest());
      await client.query("update private.contact_paces set sent = array[now() - interval '61 minutes']");
      await comeFrom(client, "203.0.113.2");
      await write(client, "ben@example.org");
      const { rows: left } = await client.query(
        "select cardinality(sent) as times from private.contact_paces",
      );
      expect(left).toEqual([{ times: 1 }]);
    });
    await applySettings(database.url, readConfig({ SITE_NAME: "Tide Tables" }));
  });

  /** Sets the sender's network as the server passes it to the database. */
  async function comeFrom(client: Client, network: string) {
    const headers = JSON.stringify({ "x-client-network": network });
    await client.query("select set_config('request.headers', $1, true)", [headers]);
  }
});

test("nobody can make themselves admin", async () => {
  await as("Ana", async (client) => {
    for (const statement of [
      "insert into public.user_roles (user_id, role) values (auth.uid(), 'admin')",
      "update auth.users set role = 'service_role'",
      "select private.generate_username('a')",
      "update private.settings set stores_contact_messages = true",
      "insert into private.known_words values ('sprog', 'en', 'word', 'sprog')",
    ]) {
      await expect(attempt(client, statement), statement).rejects.toMatchObject({ code: "42501" });
    }
    expect((await client.query("select private.is_admin() as is_admin")).rows).toEqual([{ is_admin: false }]);
    await become(client, "Eve");
    expect((await client.query("select private.is_admin() as is_admin")).rows).toEqual([{ is_admin: true }]);
  });
});
