import { createServer } from "node:http";
import fc from "fast-check";
import { Pool } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toNode } from "#backend/http/to-node.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createRest, type Rest } from "#backend/rest/create-rest.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type Listening, listen } from "#tests/helpers/listen.ts";

/*
 * Requests of many users share few connections, and each batch carries its own identity. Whatever happens to a batch
 * (an SQL error, a bad cast, a disconnected client, a cut connection, evicted statements), the next batch on that
 * connection must run only as its own caller. IDENTITY_RUNS=500 turns this into an hour-long test.
 */
const people = 12;
const requestsARun = 250;
const runs = Number(process.env.IDENTITY_RUNS ?? 6);
const connections = 2;
const secret = "only this test signs with this secret";

type Attempt =
  | {
      kind: "read" | "who" | "bad-cast" | "sql-error" | "forged-insert" | "write" | "abort" | "visitor";
      person: number;
    }
  | { kind: "new-shape"; person: number; alias: number }
  | { kind: "cut-connection"; person: number };

let testDatabase: TestDatabase;
let owner: Pool;
let database: Database;
let rest: Rest;
let server: Listening;
let tokens: string[];

const idOf = (person: number) => `00000000-0000-4000-8000-0000000000${String(person).padStart(2, "0")}`;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ empty: true });
  owner = new Pool({ connectionString: testDatabase.url, max: 2 });
  await owner.query(`
    create schema api;
    create table api.pages (id int primary key generated always as identity, owner uuid not null, text text not null);
    alter table api.pages enable row level security;
    create policy "own pages" on api.pages to authenticated
      using (owner = (current_setting('request.jwt.claims', true)::json ->> 'sub')::uuid);
    create function api.who() returns json language sql stable as $$
      select json_build_object('role', current_user, 'sub', current_setting('request.jwt.claims', true)::json ->> 'sub') $$;
    create function api.fail() returns void language plpgsql as $$ begin raise exception 'as asked'; end $$;
    grant usage on schema api to anon, authenticated;
    grant select, insert on api.pages to authenticated;
    grant select on api.pages to anon;
    grant execute on all functions in schema api to anon, authenticated;
    insert into api.pages (owner, text)
      select ('00000000-0000-4000-8000-0000000000' || lpad(p::text, 2, '0'))::uuid, 'page ' || n
      from generate_series(1, ${people}) p, generate_series(1, 5) n;
  `);
  tokens = await Promise.all(
    Array.from({ length: people + 1 }, (_, person) =>
      signToken({ role: "authenticated", sub: idOf(person) }, secret),
    ),
  );
  database = connectDatabase({ url: testDatabase.authenticatorUrl, max: connections });
  const verifier = createTokenVerifier({ secret, anonRole: "anon" });
  rest = createRest({ database, verifier, schemas: ["api"], requireApiKey: false, basePath: "" });
  server = await listen(createServer(toNode(rest)));
});

afterAll(async () => {
  await server.close();
  await rest.close();
  await database.close();
  await owner.end();
  await testDatabase.drop();
});

const otherKinds = ["bad-cast", "sql-error", "forged-insert", "write", "abort", "visitor"] as const;
const person = fc.integer({ min: 1, max: people });
const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("read" as const), person }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("who" as const), person }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(...otherKinds),
      person,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant("new-shape" as const), person, alias: fc.nat(100_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut-connection" as const), person }) },
);

function send(path: string, caller: number | null, init: RequestInit = {}): Promise<Response> {
  const headers: Record<string, string> =
    caller === null ? {} : { authorization: `Bearer ${tokens[caller]}` };
  return fetch(server.url + path, { ...init, headers: { ...headers, "content-type": "application/json" } });
}

/** Expects every row returned to `caller` to be the caller's own. */
async function expectOwnPages(response: Response, caller: number): Promise<void> {
  if (response.status >= 500) return void (await response.text()); // its connection was cut under it
  expect(response.status).toBe(200);
  const rows: { owner: string }[] = await response.json();
  expect(rows.length).toBeGreaterThanOrEqual(5);
  expect(rows.filter((row) => row.owner !== idOf(caller))).toEqual([]);
}

async function perform(what: Attempt): Promise<void> {
  const { person: caller } = what;
  switch (what.kind) {
    case "read":
      return expectOwnPages(await send("/pages", caller), caller);
    case "new-shape":
      return expectOwnPages(await send(`/pages?select=owner,a${what.alias}:text&limit=50`, caller), caller);
    case "who": {
      const response = await send("/rpc/who", caller, { method: "POST", body: "{}" });
      const answer = await response.json();
      if (response.status < 500) expect(answer).toEqual({ role: "authenticated", sub: idOf(caller) });
      return;
    }
    case "visitor":
      expect([200, 500, 503]).toContain(await statusOf(send("/pages", null)));
      return;
    case "bad-cast":
      expect([400, 500, 503]).toContain(await statusOf(send("/pages?id=eq.one", caller)));
      return;
    case "sql-error":
      expect([400, 500, 503]).toContain(
        await statusOf(send("/rpc/fail", caller, { method: "POST", body: "{}" })),
      );
      return;
    case "forged-insert":
    case "write": {
      const author = what.kind === "write" ? caller : (caller % people) + 1;
      const body = JSON.stringify({ owner: idOf(author), text: "new" });
      const status = await statusOf(send("/pages", caller, { method: "POST", body }));
      expect([what.kind === "write" ? 201 : 403, 500, 503]).toContain(status);
      return;
    }
    case "abort": {
      const abort = new AbortController();
      const asked = send("/pages?select=owner,text", caller, { signal: abort.signal }).catch(() => {});
      setTimeout(() => abort.abort(), Math.random() * 3);
      return void (await asked);
    }
    case "cut-connection":
      await owner.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'authenticator' and datname = current_database() limit 1",
      );
  }
}

async function statusOf(asked: Promise<Response>): Promise<number> {
  const response = await asked;
  await response.text();
  return response.status;
}

/** The state of the connections while no request is running on them. */
async function restingStates() {
  const state = `select pg_backend_pid()::text as pid, current_user as user, session_user as login,
    coalesce(current_setting('request.jwt.claims', true), '') as claims, current_setting('transaction_read_only') as read_only,
    pg_sleep(0.02)::text as slept`;
  const rows = await Promise.all(
    Array.from({ length: connections * 4 }, () => database.query(state).catch(() => [])),
  );
  return rows.flat();
}

test("no identity leaks between requests that share a connection", { timeout: 600_000 }, async () => {
  const attempts = fc.array(attempt, { minLength: requestsARun, maxLength: requestsARun });
  const property = fc.asyncProperty(attempts, async (all) => {
    for (let start = 0; start < all.length; start += 32)
      await Promise.all(all.slice(start, start + 32).map(perform));
    for (const state of await restingStates()) {
      expect(state).toMatchObject({
        user: "authenticator",
        login: "authenticator",
        claims: "",
        read_only: "off",
      });
    }
  });
  await fc.assert(property, { numRuns: runs, endOnFailure: true });
  const { rows } = await owner.query(
    "select count(*)::int as forged from api.pages where text = 'new' and owner is null",
  );
  expect(rows[0].forged).toBe(0);
  const seen = new Set((await restingStates()).map((state) => state.pid));
  expect(seen.size).toBe(connections);
});
