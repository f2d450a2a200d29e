import type { Client } from "pg";
import { describe, expect, test } from "vitest";
import { ownDatabase } from "#tests/helpers/own-database.ts";
import { ACCOUNTS, attempt, become, becomeOwner, type Person } from "#tests/helpers/people.ts";
import { FIXTURE, MATRIX, type TableRights } from "./rights-matrix.ts";

const { as } = ownDatabase(`${FIXTURE};
  update private.settings set takes_uploads = true;
  insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    select gen_random_uuid(), user_id, 'totp', state::auth.factor_status, now(), now()
    from (values ('verified', '${ACCOUNTS.Eve.id}'::uuid), ('unverified', '${ACCOUNTS.Ana.id}')) as factors (state, user_id)`);

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

async function insertOwn(client: Client, table: string, { newRow }: TableRights): Promise<number> {
  const row = newRow("Eve");
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  const statement = `insert into public.${table} (${Object.keys(row)}) values (${places})`;
  return attempt(client, statement, Object.values(row)).then(
    () => 1,
    (error) => {
      if (error.code === "42501") return 0;
      throw error;
    },
  );
}

const tables = Object.entries(MATRIX);
const OPEN_TO_VISITORS = tables.filter(([, { rights }]) => rights.visitor.insert !== "refused");

describe("a session without the second factor", () => {
  test.each(["aal1", undefined] as const)("(%s) can write nothing anywhere", async (aal) => {
    await asEve(aal, async (client) => {
      for (const [table, definition] of tables) {
        const { touch } = definition;
        const updated = await count(client, `update public.${table} set ${touch} = ${touch}`);
        const deleted = await count(client, `delete from public.${table}`);
        const inserted = OPEN_TO_VISITORS.some(([name]) => name === table)
          ? 0
          : await insertOwn(client, table, definition);
        expect([table, inserted, updated, deleted]).toEqual([table, 0, 0, 0]);
      }
    });
  });

  test("reads no saved trades, no reports and nothing reserved for admins", async () => {
    await asEve("aal1", async (client) => {
      for (const table of ["trade_history", "reports", "sanctions", "contact_messages", "admin_acts"]) {
        expect([table, await count(client, `select from public.${table}`)]).toEqual([table, 0]);
      }
    });
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

  test("stores no files, and does not appear in the chat", async () => {
    await asEve("aal1", async (client) => {
      await client.query("select set_config('realtime.topic', 'chat', true)");
      const own = `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${ACCOUNTS.Eve.id}/me.png')`;
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
    const own = `insert into storage.objects (bucket_id, name) values ('avatar-uploads', '${ACCOUNTS.Eve.id}/me.png')`;
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
