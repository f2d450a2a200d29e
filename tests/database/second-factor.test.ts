import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";
import { expectedReach, reachOf } from "./reach.ts";
import { FIXTURE } from "./rights-fixture.ts";
import { MATRIX } from "./rights-matrix.ts";

const database = ownDatabase(`${FIXTURE};
  update private.settings set takes_uploads = true;
  insert into public.sanctions (user_id, kind, code, reason) values ('${ACCOUNTS.Eve.id}', 'picture', 'other', 'Rude');
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    select gen_random_uuid(), user_id, 'totp', state::auth.factor_status, now(), now()
    from (values ('verified', '${ACCOUNTS.Eve.id}'::uuid), ('unverified', '${ACCOUNTS.Ana.id}')) as factors (state, user_id)`);

const { as } = database;

/** Runs a scene as Eve, an admin with a second factor, which she has used (aal2) or not. */
function asEve<Result>(aal: "aal1" | "aal2" | undefined, scene: (client: Client) => Promise<Result>) {
  return as("Eve", async (client) => {
    const claims = { sub: ACCOUNTS.Eve.id, role: "authenticated", aal };
    await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
    return scene(client);
  });
}

const count = (client: Client, statement: string) =>
  attempt(client, statement).then(
    ({ rowCount }) => rowCount ?? 0,
    (error) => {
      if (error.code === "42501") return 0;
      throw error;
    },
  );

const tables = Object.entries(MATRIX);
const OPEN_TO_VISITORS = tables.filter(([, { rights }]) => rights.visitor.insert !== "refused");

describe("a session without the second factor", () => {
  test.each(["aal1", undefined] as const)("(%s) can write nothing anywhere", async (aal) => {
    await asEve(aal, async (client) => {
      for (const table of tables) {
        const isOpen = OPEN_TO_VISITORS.includes(table);
        for (const verb of ["insert", "update", "delete"] as const) {
          if (isOpen && verb === "insert") continue;
          await client.query("savepoint unwritten");
          const reached = await reachOf(client, verb, table);
          expect([table[0], verb, reached === "refused" ? [] : reached]).toEqual([table[0], verb, []]);
          await client.query("rollback to savepoint unwritten");
        }
      }
    });
  });

  test.each(tables)("reads of %s what a trader would, or nothing", async (name, definition) => {
    const reach = definition.needsFactor ? "none" : definition.rights.Ana.select;
    const { some } = definition;
    const row: [string, typeof definition] = [
      name,
      { ...definition, some: typeof some === "string" ? some : { Eve: some?.Ana ?? "false" } },
    ];
    const expected = await expectedReach(database.owner, { reach, person: "Eve", verb: "select" }, row);
    expect(await asEve("aal1", (client) => reachOf(client, "select", row))).toEqual(expected);
  });

  test("does not read why its user must choose another name", async () => {
    const reasons = (aal: "aal1" | "aal2") =>
      asEve(aal, async (client) => {
        await becomeOwner(client);
        await client.query("insert into private.outgrown_names (user_id, fault) values ($1, 'x')", [
          ACCOUNTS.Eve.id,
        ]);
        await become(client, "Eve");
        const claims = { sub: ACCOUNTS.Eve.id, role: "authenticated", aal };
        await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
        return count(client, "select from public.show_forced_name()");
      });
    expect([await reasons("aal1"), await reasons("aal2")]).toEqual([0, 1]);
  });

  test("cannot list its user's sessions and account log, and neither can anybody else", async () => {
    const own = "select from public.list_own_sessions() union all select from public.list_own_account_log()";
    const record = async (client: Client) => {
      await becomeOwner(client);
      await client.query("insert into auth.sessions (id, user_id) values (gen_random_uuid(), $1)", [
        ACCOUNTS.Eve.id,
      ]);
      await client.query(
        `insert into auth.audit_log_entries (instance_id, id, payload, created_at, ip_address)
         values (gen_random_uuid(), gen_random_uuid(), $1, now(), '')`,
        [JSON.stringify({ action: "login", actor_id: ACCOUNTS.Eve.id })],
      );
    };
    const seenBy = (person: Person, claims: object) =>
      as(person, async (client) => {
        await record(client);
        await become(client, person);
        await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
        return count(client, own);
      });
    const eve = { sub: ACCOUNTS.Eve.id, role: "authenticated" };
    expect(await seenBy("Eve", { ...eve, aal: "aal1" })).toBe(0);
    expect(await seenBy("Ben", { sub: ACCOUNTS.Ben.id, role: "authenticated" })).toBe(0);
    expect(await seenBy("visitor", { role: "anon" })).toBe(0);
    expect(await seenBy("server", { role: "service_role" })).toBe(0);
    expect(await seenBy("Eve", { ...eve, aal: "aal2" })).toBe(2);
  });

  test("cannot end its user's other sessions, and neither can anybody else", async () => {
    const session = "5e550000-0000-4000-8000-000000000005";
    const endedBy = (person: Person, claims: object) =>
      as(person, async (client) => {
        await becomeOwner(client);
        await client.query("insert into auth.sessions (id, user_id) values ($1, $2)", [
          session,
          ACCOUNTS.Eve.id,
        ]);
        await become(client, person);
        await client.query("select set_config('request.jwt.claims', $1, true)", [JSON.stringify(claims)]);
        const end = `select from public.end_own_session('${session}') as ended where ended`;
        const ended = await attempt(client, end).then(
          ({ rowCount }) => rowCount,
          ({ code }) => code,
        );
        await becomeOwner(client);
        return [ended, await count(client, `select from auth.sessions where id = '${session}'`)];
      });
    const eve = { sub: ACCOUNTS.Eve.id, role: "authenticated" };
    expect(await endedBy("Eve", { ...eve, aal: "aal1" })).toEqual([0, 1]);
    expect(await endedBy("Ben", { sub: ACCOUNTS.Ben.id, role: "authenticated" })).toEqual([0, 1]);
    expect(await endedBy("visitor", { role: "anon" })).toEqual(["42501", 1]);
    expect(await endedBy("server", { role: "service_role" })).toEqual(["42501", 1]);
    expect(await endedBy("Eve", { ...eve, aal: "aal2" })).toEqual([1, 0]);
  });

  test("stores and deletes no files, and does not appear in the chat", async () => {
    await asEve("aal1", async (client) => {
      await becomeOwner(client);
      await client.query("insert into storage.objects (bucket_id, name) values ('avatar-uploads', $1)", [
        `${ACCOUNTS.Eve.id}/there.png`,
      ]);
      await become(client, "Eve");
      await client.query("select set_config('request.jwt.claims', $1, true)", [
        JSON.stringify({ sub: ACCOUNTS.Eve.id, role: "authenticated", aal: "aal1" }),
      ]);
      expect(await count(client, "delete from storage.objects")).toBe(0);
      await client.query("select set_config('realtime.topic', 'chat', true)");
      const own = `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${ACCOUNTS.Eve.id}/${ACCOUNTS.Eve.id}.png')`;
      expect(await count(client, own)).toBe(0);
      const here = "insert into realtime.messages (topic, extension) values ('chat', 'presence')";
      expect(await count(client, here)).toBe(0);
    });
  });
});

test("a session with the second factor has all admin rights", async () => {
  await asEve("aal2", async (client) => {
    await client.query("select set_config('realtime.topic', 'chat', true)");
    expect(await count(client, "select from public.trade_history")).toBe(1);
    expect(await count(client, "update public.items set name = name")).toBeGreaterThan(0);
    expect(await count(client, "update public.profiles set username = username")).toBe(1);
    const own = `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${ACCOUNTS.Eve.id}/${ACCOUNTS.Eve.id}.png')`;
    expect(await count(client, own)).toBe(1);
    const here = "insert into realtime.messages (topic, extension) values ('chat', 'presence')";
    expect(await count(client, here)).toBe(1);
  });
});

test("an unverified factor requires nothing", async () => {
  await as("Ana", async (client) => {
    expect(await count(client, "update public.profiles set username = username")).toBe(1);
    expect(await count(client, "select from public.trade_history")).toBe(1);
  });
});
