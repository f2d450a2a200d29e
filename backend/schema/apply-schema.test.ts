import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { onDatabase } from "#tests/helpers/database-url.ts";
import { applyBackendSchema } from "./apply-schema.ts";
import { findRefusal, type Rights } from "./require-rights.ts";

let database: TestDatabase;
let client: Client;

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

async function rowsOf(query: string) {
  return (await client.query(query)).rows;
}

/** A database of its own, and a login without superuser rights that may own it. */
async function createLogin(options: { attributes: string; owner: boolean }) {
  const own = await createTestDatabase({ empty: true });
  const url = new URL(own.url);
  const databaseName = url.pathname.slice(1);
  const login = `login_of_${databaseName}`;
  await client.query(`create role ${login} login password 'secret' ${options.attributes}`);
  if (options.owner) await client.query(`alter database ${databaseName} owner to ${login}`);
  url.username = login;
  url.password = "secret";
  return {
    login,
    url: url.href,
    async remove() {
      await own.drop();
      await client.query(`drop role ${login}`);
    },
  };
}

describe("a login that may not set up the database is refused with the reason", () => {
  test("when it may not create schemas", async () => {
    const stranger = await createLogin({ attributes: "", owner: false });
    await expect(applyBackendSchema(stranger.url)).rejects.toMatchObject({
      name: "BackendSchemaError",
      message: expect.stringContaining(`Role "${stranger.login}" may not create schemas`),
    });
    await stranger.remove();
  });

  test("when its PostgreSQL lets only a superuser create service_role", () => {
    const rights: Rights = {
      version: 15,
      login: "operator",
      database: "site",
      is_superuser: false,
      may_create_roles: true,
      may_bypass: true,
      may_create: true,
      roles: 0,
      has_service_role: false,
    };
    expect(findRefusal(rights)).toMatch(/once: create role service_role nologin noinherit bypassrls$/);
    expect(findRefusal({ ...rights, has_service_role: true })).toBe(null);
    expect(findRefusal({ ...rights, version: 16 })).toBe(null);
  });
});

test("two processes that start at once both find it ready, and a third changes nothing", async () => {
  await Promise.all([applyBackendSchema(database.url), applyBackendSchema(database.url)]);
  const state = "select name, applied_at from backend.schema_files order by name";
  const before = await rowsOf(state);
  expect(before.length).toBeGreaterThan(5);
  await applyBackendSchema(database.url);
  expect(await rowsOf(state)).toEqual(before);
});

test("an owner without superuser rights can set it up", async () => {
  const owner = await createLogin({ attributes: "createrole bypassrls", owner: true });
  await applyBackendSchema(owner.url);
  await applyBackendSchema(owner.url);
  const own = new Client({ connectionString: owner.url });
  await own.connect();
  const { rows } = await own.query("select count(*)::int from backend.schema_files");
  expect(rows[0].count).toBeGreaterThan(5);
  await own.end();
  await owner.remove();
});

describe("as in a hosted project,", () => {
  test("the roles have their privileges, and no more", async () => {
    expect(
      await rowsOf(
        `select rolname, rolcanlogin, rolinherit, rolbypassrls, rolsuper or rolcreaterole or rolcreatedb as powerful
         from pg_roles where rolname in ('anon', 'authenticated', 'service_role', 'authenticator') order by 1`,
      ),
    ).toEqual([
      { rolname: "anon", rolcanlogin: false, rolinherit: false, rolbypassrls: false, powerful: false },
      {
        rolname: "authenticated",
        rolcanlogin: false,
        rolinherit: false,
        rolbypassrls: false,
        powerful: false,
      },
      {
        rolname: "authenticator",
        rolcanlogin: true,
        rolinherit: false,
        rolbypassrls: false,
        powerful: false,
      },
      { rolname: "service_role", rolcanlogin: false, rolinherit: false, rolbypassrls: true, powerful: false },
    ]);
  });

  test("authenticator logs in with the given password, and can do nothing until it assumes a role", async () => {
    await client.query("create table public.things (id int); insert into public.things values (1)");
    const authenticator = new Client({
      connectionString: onDatabase(database.authenticatorUrl, new URL(database.url).pathname.slice(1)),
    });
    await authenticator.connect();
    await expect(authenticator.query("select * from public.things")).rejects.toMatchObject({ code: "42501" });
    await authenticator.query("set role anon");
    expect((await authenticator.query("select * from public.things")).rowCount).toBe(1);
    await authenticator.end();
  });

  test.each(["anon", "authenticated"])("%s cannot read accounts", async (role) => {
    await client.query("begin");
    await client.query(`set local role ${role}`);
    await expect(client.query("select * from auth.users")).rejects.toMatchObject({ code: "42501" });
    await client.query("rollback");
  });

  test.each([
    [{}, null, null, null],
    [{ "request.jwt.claims": "" }, null, null, null],
    [
      {
        "request.jwt.claims":
          '{"sub":"a0000000-0000-4000-8000-00000000000a","role":"authenticated","email":"a@b.c"}',
      },
      "a0000000-0000-4000-8000-00000000000a",
      "authenticated",
      "a@b.c",
    ],
    [{ "request.jwt.claim.role": "anon", "request.jwt.claims": '{"role":"other"}' }, null, "anon", null],
  ])("the claims of %j", async (settings, uid, role, email) => {
    await client.query("begin");
    for (const [name, value] of Object.entries(settings)) {
      await client.query("select set_config($1, $2, true)", [name, value]);
    }
    expect(await rowsOf("select auth.uid() as uid, auth.role() as role, auth.email() as email")).toEqual([
      { uid, role, email },
    ]);
    const claims = (settings as Record<string, string>)["request.jwt.claims"];
    expect((await rowsOf("select auth.jwt() as jwt"))[0].jwt).toEqual(claims ? JSON.parse(claims) : null);
    await client.query("rollback");
  });

  test.each(["anon", "authenticated", "service_role", "authenticator"])(
    "%s cannot read the auth service's tables",
    async (role) => {
      const tables = await rowsOf(
        "select relname as name from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' order by 1",
      );
      expect(tables.length).toBeGreaterThan(10);
      await client.query("begin");
      await client.query(`set local role ${role}`);
      for (const { name } of tables) {
        await client.query("savepoint attempt");
        await expect(client.query(`select * from auth.${name}`), name).rejects.toMatchObject({
          code: "42501",
        });
        await client.query("rollback to savepoint attempt");
      }
      await client.query("rollback");
    },
  );

  test("the auth service's role writes accounts and nothing outside its schema", async () => {
    await client.query("begin");
    await client.query("set local role supabase_auth_admin");
    const id = "f0000000-0000-4000-8000-00000000000f";
    await client.query("insert into auth.users (id, email) values ($1, 'x@example.org')", [id]);
    await client.query("insert into auth.sessions (id, user_id, aal) values ($1, $1, 'aal1')", [id]);
    expect((await client.query("delete from auth.users where id = $1", [id])).rowCount).toBe(1);
    expect((await client.query("select from auth.sessions")).rowCount).toBe(0);
    await expect(client.query("select * from storage.buckets")).rejects.toMatchObject({ code: "42501" });
    await client.query("rollback");
  });

  test("the authenticator cannot become the auth service", async () => {
    const [{ may }] = await rowsOf(
      "select pg_has_role('authenticator', 'supabase_auth_admin', 'member') as may",
    );
    expect(may).toBe(false);
  });

  test("object names are split into their parts", async () => {
    expect(
      await rowsOf(
        "select storage.foldername('a/b/c.tar.gz') as folder, storage.filename('a/b/c.tar.gz') as file, storage.extension('a/b/c.tar.gz') as extension",
      ),
    ).toEqual([{ folder: ["a", "b"], file: "c.tar.gz", extension: "gz" }]);
  });

  test("nobody can access an object without a policy", async () => {
    await client.query("begin");
    await client.query("insert into storage.buckets (id, name) values ('b', 'b')");
    await client.query("insert into storage.objects (bucket_id, name) values ('b', 'a/c.png')");
    await client.query("set local role authenticated");
    expect(await rowsOf("select from storage.buckets")).toEqual([]);
    expect(await rowsOf("select from storage.objects")).toEqual([]);
    await expect(
      client.query("insert into storage.objects (bucket_id, name) values ('b', 'd')"),
    ).rejects.toMatchObject({
      code: "42501",
    });
    await client.query("rollback");
  });

  test("accounts have the columns that the auth service writes", async () => {
    const [{ columns }] = await rowsOf(
      "select array_agg(attname::text order by attname) as columns from pg_attribute where attrelid = 'auth.users'::regclass and attnum > 0",
    );
    expect(columns).toHaveLength(35);
    expect(columns).toEqual(
      expect.arrayContaining(["encrypted_password", "is_anonymous", "confirmed_at", "deleted_at"]),
    );
  });
});

test("the REST service is notified of schema changes", async () => {
  const heard: string[] = [];
  client.on("notification", ({ channel, payload }) => heard.push(`${channel} ${payload}`));
  await client.query("listen pgrst");
  for (const change of [
    "create table public.news (id int)",
    "alter table public.news add column title text",
    "comment on table public.news is 'News'",
    "grant select on public.news to anon",
    "drop table public.news",
  ]) {
    heard.length = 0;
    await client.query(change);
    await client.query("select 1");
    expect([change, ...heard]).toEqual([change, "pgrst reload schema"]);
  }
  heard.length = 0;
  await client.query("create temporary table mine (id int); drop table mine");
  await client.query("select 1");
  expect(heard).toEqual([]);
});
