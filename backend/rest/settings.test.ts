import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { json, type RestFixture, startRest, tokenFor } from "#tests/helpers/rest/rest-fixture.ts";
import { createRest, type RestOptions } from "./create-rest.ts";

let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest();
  await fixture.admin(`
    create function api.check_request() returns void language plpgsql as $$
    begin
      if current_setting('request.headers')::json ->> 'x-banned' = 'yes' then
        raise sqlstate 'PT403' using message = 'you are banned';
      end if;
    end $$`);
});

afterAll(() => fixture.close());

/** Runs `run` against the same database with other settings. */
async function withSettings(
  settings: Partial<RestOptions>,
  run: (call: RestFixture["call"]) => Promise<void>,
) {
  const verifier = createTokenVerifier({
    secret: "another secret, as long as it has to be",
    anonRole: "anon",
  });
  const rest = createRest({
    database: fixture.database,
    verifier,
    basePath: "",
    schemas: ["api"],
    ...settings,
  });
  try {
    await run((method, url, { headers = {}, body } = {}) =>
      rest.handle({
        method,
        url,
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? Buffer.from(body) : null,
      }),
    );
  } finally {
    await rest.close();
  }
}

describe("keys", () => {
  const verifier = createTokenVerifier({
    secret: "a secret of the endpoint tests, long enough for HS256",
    anonRole: "anon",
    publishableKey: "sb_publishable_abc",
    secretKey: "sb_secret_def",
  });

  test("are required at a gateway, and distinguished from tokens", async () => {
    await withSettings({ verifier, requireApiKey: true, basePath: "/rest/v1" }, async (call) => {
      const who = async (headers: Record<string, string>, query = "") => {
        const response = await call("GET", `/rest/v1/rpc/whoami${query}`, { headers });
        return response.status === 200
          ? (json(response) as { role: string }).role
          : [response.status, (json(response) as { message: string }).message];
      };
      expect(await who({})).toEqual([401, "No API key found in request"]);
      expect(await who({ authorization: `Bearer ${await tokenFor("authenticated")}` })).toEqual([
        401,
        "No API key found in request",
      ]);
      expect(await who({ apikey: "sb_publishable_wrong" })).toEqual([401, "Invalid API key"]);
      expect(await who({ apikey: "sb_publishable_abc" })).toBe("anon");
      expect(await who({}, "?apikey=sb_publishable_abc")).toBe("anon");
      expect(await who({ apikey: "sb_publishable_abc", authorization: "Bearer sb_publishable_abc" })).toBe(
        "anon",
      );
      expect(await who({ apikey: "sb_secret_def", authorization: "Bearer sb_secret_def" })).toBe(
        "service_role",
      );
      const token = await tokenFor("authenticated");
      expect(await who({ apikey: "sb_publishable_abc", authorization: `Bearer ${token}` })).toBe(
        "authenticated",
      );
      expect(await who({ apikey: token, authorization: `Bearer ${token}` })).toBe("authenticated");
    });
  });

  test("are not blamed if the server has none to verify them with", async () => {
    const keyless = createTokenVerifier({ anonRole: "anon", publishableKey: "sb_publishable_abc" });
    await withSettings({ verifier: keyless, requireApiKey: true }, async (call) => {
      const response = await call("GET", "/people", { headers: { apikey: await tokenFor("anon") } });
      expect(response.status).toBe(500);
      expect(json(response)).toMatchObject({ code: "PGRST300", message: "Server lacks JWT secret" });
    });
  });

  test("an expired token is refused as such", async () => {
    const token = await tokenFor("authenticated", "me", 1_000_000);
    const response = await fixture.call("GET", "/people", { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
    expect(json(response)).toMatchObject({ code: "PGRST303", message: "JWT expired" });
  });

  test("a role that does not exist or cannot be switched to is refused", async () => {
    expect((await fixture.call("GET", "/people", { role: "nobody_at_all" })).status).toBe(401);
    expect((await fixture.call("GET", "/people", { role: "postgres" })).status).toBe(403);
  });
});

describe("settings", () => {
  test("max rows limits reads and calls, but not rows returned by writes", async () => {
    await withSettings({ maxRows: 1, transactionEnd: "rollback" }, async (call) => {
      expect(json(await call("GET", "/people?select=id&order=id"))).toEqual([{ id: 1 }]);
      expect(
        (await call("GET", "/people?limit=5", { headers: { prefer: "count=exact" } })).headers[
          "content-range"
        ],
      ).toBe("0-0/3");
      expect(json(await call("GET", "/rpc/all_people?select=id"))).toEqual([{ id: 1 }]);
      for (const path of ["/people", "/rpc/all_people"]) {
        const page = await call("GET", `${path}?select=id&order=id`, { headers: { range: "1-2" } });
        expect(page).toMatchObject({
          status: 200,
          body: '[{"id":2}]',
          headers: { "content-range": "1-1/*" },
        });
      }
      const headers = { prefer: "return=representation" };
      expect(json(await call("PATCH", "/people?select=id", { headers, body: '{"age":1}' }))).toHaveLength(3);
    });
  });

  test("a transaction configured to roll back keeps nothing, and tx=commit is not honored", async () => {
    await withSettings({ transactionEnd: "rollback" }, async (call) => {
      const created = await call("POST", "/countries", {
        headers: { prefer: "tx=commit" },
        body: '{"code":"q","name":"Q"}',
      });
      expect(created.status).toBe(201);
      expect(created.headers["preference-applied"]).toBeUndefined();
      expect(json(await call("GET", "/countries?code=eq.q"))).toEqual([]);
    });
  });

  test.each(["commit", "rollback"] as const)(
    "a preferred end that transactions ending by %s do not allow is ignored, even in a strict request",
    async (transactionEnd) => {
      await withSettings({ transactionEnd }, async (call) => {
        const headers = { prefer: "handling=strict, max-affected=1, tx=rollback" };
        const response = await call("DELETE", "/people?id=eq.99", { headers });
        expect(response.status).toBe(204);
        expect(response.headers["preference-applied"]).toBe("handling=strict, max-affected=1");
      });
    },
  );

  test("a pre-request function may refuse", async () => {
    await withSettings({ preRequest: { schema: "api", name: "check_request" } }, async (call) => {
      expect((await call("GET", "/people")).status).toBe(200);
      const refused = await call("GET", "/people", { headers: { "x-banned": "yes" } });
      expect(refused.status).toBe(403);
      expect(json(refused)).toMatchObject({ code: "PT403", message: "you are banned" });
    });
  });

  test("a schema's name may be beyond ASCII: headers have it as UTF-8", async () => {
    await fixture.admin(
      'create schema "тест"; create view "тест".ones as select 1 as id; grant usage on schema "тест" to anon; grant select on "тест".ones to anon',
    );
    const bytes = Buffer.from("тест").toString("latin1");
    await withSettings({ schemas: ["api", "тест"] }, async (call) => {
      const headers = { "accept-profile": bytes };
      expect(await call("GET", "/ones", { headers })).toMatchObject({
        status: 200,
        headers: { "content-profile": bytes },
      });
      const refused = await call("GET", "/ones", { headers: { "accept-profile": `${bytes}x` } });
      expect(json(refused)).toMatchObject({ code: "PGRST106", message: "Invalid schema: тестx" });
    });
  });

  test("aggregates, plan, root and legacy names are enabled as configured", async () => {
    await withSettings({ openapi: "disabled", legacyTargetNames: false }, async (call) => {
      expect(json(await call("GET", "/people?select=count()"))).toMatchObject({ code: "PGRST123" });
      expect(json(await call("GET", "/"))).toMatchObject({ code: "PGRST126" });
      expect(
        json(await call("GET", "/people?select=home:countries(name)&countries.code=eq.no")),
      ).toMatchObject({
        code: "PGRST108",
        hint: "Change 'countries' to 'home' in filters, orders or limits.",
      });
    });
    await withSettings({ plan: true, rootSpec: "greet" }, async (call) => {
      expect((await call("GET", "/")).body).toBe('"Ahoy sailor"');
      const accept = 'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose;';
      const plan = await call("GET", "/people?id=eq.1", { headers: { accept } });
      expect(plan.headers["content-type"]).toBe(
        'application/vnd.pgrst.plan+json; for="application/json"; options=analyze|verbose; charset=utf-8',
      );
      expect(json(plan)).toMatchObject([{ Plan: { "Actual Loops": 1 } }]);
      const text = await call("GET", "/people?id=eq.1", {
        headers: { accept: "application/vnd.pgrst.plan+text" },
      });
      expect(text.body).toContain("(cost=");
    });
  });

  test("a write that is only analyzed can be rolled back", async () => {
    await withSettings({ plan: true, transactionEnd: "commit-allow-override" }, async (call) => {
      const { body: before } = await call("GET", "/people?id=eq.1");
      const accept = "application/vnd.pgrst.plan+json; options=analyze";
      const plan = await call("PATCH", "/people?id=eq.1", {
        headers: { accept, prefer: "tx=rollback" },
        body: '{"name":"Someone else"}',
      });
      expect(json(plan)).toMatchObject([{ Plan: { "Actual Loops": 1 } }]);
      expect((await call("GET", "/people?id=eq.1")).body).toBe(before);
    });
  });

  test("errors can be terse, and responses timed and traced", async () => {
    await withSettings(
      { errorVerbosity: "minimal", serverTiming: true, traceHeader: "X-Trace" },
      async (call) => {
        const response = await call("GET", "/nowhere", { headers: { "x-trace": "t1" } });
        expect(Object.keys(json(response) as object)).toEqual(["code", "message"]);
        expect(response.headers["x-trace"]).toBe("t1");
        expect(response.headers["server-timing"]).toMatch(/^jwt;dur=\d/);
      },
    );
  });

  test("an estimate above max rows is the planner's", async () => {
    await fixture.admin("analyze api.people");
    await withSettings({ maxRows: 1 }, async (call) => {
      const range = async (count: string) =>
        (await call("GET", "/people", { headers: { prefer: `count=${count}` } })).headers["content-range"];
      expect(await range("planned")).toBe("0-0/3");
      expect(await range("estimated")).toBe("0-0/3");
    });
  });

  test("a function's hoisted settings apply to its whole transaction", async () => {
    await fixture.admin(`
      create function api.doze() returns text language plpgsql set statement_timeout = '100ms'
        as $$ begin perform pg_sleep(0.3); return 'slept'; end $$;
      create function api.apart() returns text language sql volatile set default_transaction_isolation = 'serializable'
        as $$ select current_setting('transaction_isolation') $$`);
    await withSettings({}, async (call) => {
      expect(json(await call("POST", "/rpc/doze"))).toMatchObject({ code: "57014" });
      expect(json(await call("POST", "/rpc/apart"))).toBe("serializable");
    });
    await withSettings({ hoistedSettings: [] }, async (call) => {
      expect(json(await call("POST", "/rpc/doze"))).toBe("slept");
      expect(json(await call("POST", "/rpc/apart"))).toBe("read committed");
    });
  });

  test("a role's setting that the login was granted to make applies, others of superusers do not", async () => {
    const onDatabase = (sql: string) =>
      fixture.admin(
        `do $$ begin execute format('alter role anon in database %I ${sql}', current_database()); end $$`,
      );
    await onDatabase("set log_min_duration_statement = 54321");
    await onDatabase("set log_min_duration_sample = 54321");
    await fixture.admin(`
      grant set on parameter log_min_duration_statement to authenticator;
      create function api.logged() returns text language sql stable
        as $$ select current_setting('log_min_duration_statement') || ' ' || current_setting('log_min_duration_sample') $$`);
    await withSettings({}, async (call) => expect(json(await call("GET", "/rpc/logged"))).toBe("54321ms -1"));
    await fixture.admin("revoke set on parameter log_min_duration_statement from authenticator");
    await onDatabase("reset all");
  });

  test("a role's settings apply to its requests", async () => {
    await fixture.admin(
      "alter role anon set statement_timeout = '150ms'; create function api.nap() returns void language sql stable as 'select pg_sleep(2)'",
    );
    try {
      await fixture.rest.schema.reload();
      const response = await fixture.call("GET", "/rpc/nap");
      expect(json(response)).toMatchObject({ code: "57014" });
    } finally {
      await fixture.admin("alter role anon reset statement_timeout");
    }
  });
});

test.each(["planned", "estimated", "exact"])(
  "count=%s calls the pre-request function once",
  async (count) => {
    // Reads cannot write, so each call is seen by its notification.
    await fixture.admin(`
    create or replace function api.count_call() returns void language sql as $$
      select pg_notify('calls', clock_timestamp()::text)
    $$`);
    const calls: (string | null)[] = [];
    const subscription = await fixture.database.listen("calls", (payload) => calls.push(payload));
    await withSettings({ preRequest: { schema: "api", name: "count_call" } }, async (call) => {
      const headers = { prefer: `count=${count}` };
      expect(json(await call("GET", "/people?limit=1", { headers }))).toHaveLength(1);
    });
    await fixture.database.query("select pg_notify('calls', 'last')");
    await expect.poll(() => calls).toContain("last");
    expect(calls).toHaveLength(2);
    await subscription.close();
  },
);

test("without estimates, no count tells of rows that policies hide", async () => {
  await fixture.admin(`
    create table api.letters (sender text);
    alter table api.letters enable row level security;
    create policy "nobody today" on api.letters for select to anon using (pg_backend_pid() < 0);
    grant select on api.letters to anon;
    insert into api.letters select 'victim@example.org' from generate_series(1, 3000);
    analyze api.letters`);
  await fixture.rest.schema.reload();
  const counts = async (settings: Partial<RestOptions>) => {
    const found: unknown[] = [];
    await withSettings({ anonRole: "anon", ...settings }, async (call) => {
      for (const count of ["planned", "estimated", "exact"]) {
        const { headers } = await call("GET", "/letters?sender=eq.victim@example.org", {
          headers: { prefer: `count=${count}` },
        });
        found.push(headers["content-range"]);
      }
    });
    return found;
  };
  expect((await counts({}))[0]).toBe("*/1000");
  expect(await counts({ estimates: false })).toEqual(["*/0", "*/0", "*/0"]);
});

test("a refused check is reported with its user and constraint; privileges and successes are not", async () => {
  await fixture.admin(`
    create table api.remarks (note text check (note <> 'empty'));
    grant insert on api.remarks to anon;
    create function api.check_remark() returns trigger language plpgsql as $$
    begin
      if new.note = 'rude' then raise check_violation using constraint = 'friendly'; end if;
      return new;
    end $$;
    create trigger check_remark before insert on api.remarks for each row execute function api.check_remark()`);
  await fixture.rest.schema.reload();
  const told: [role: string, constraint: string | null][] = [];
  await withSettings(
    { anonRole: "anon", onRefusal: ({ role }, { constraint }) => told.push([role, constraint]) },
    async (call) => {
      const write = async (note: string) =>
        (
          await call("POST", "/remarks", {
            body: JSON.stringify({ note }),
            headers: { "content-type": "application/json" },
          })
        ).status;
      expect([await write("kind"), await write("empty"), await write("rude")]).toEqual([201, 400, 400]);
      expect((await call("GET", "/remarks")).status).toBe(401);
    },
  );
  expect(told).toEqual([
    ["anon", "remarks_note_check"],
    ["anon", "friendly"],
  ]);
});

test("an unreachable database results in a 503 that says so", async () => {
  const { connectDatabase } = await import("#backend/postgres/database.ts");
  const database = connectDatabase({ url: "postgres://nobody@127.0.0.1:1/none", max: 1 });
  const rest = createRest({
    database,
    verifier: createTokenVerifier({ secret: "x".repeat(32), anonRole: "anon" }),
    basePath: "",
  });
  const response = await rest.handle({ method: "GET", url: "/people", headers: {}, body: null });
  expect(response.status).toBe(503);
  expect(response.headers["retry-after"]).toBe("1");
  expect(json(response)).toMatchObject({ code: "PGRST000", message: "Database connection error." });
  await rest.close();
  await database.close();
});

test("a database whose sessions read by default, are serializable, and write bytes in PostgreSQL's old form, serves as any other", async () => {
  const other = await startRest();
  try {
    await other.admin(`
      create domain api."application/octet-stream" as bytea;
      create function api.level() returns text language sql as $$ select current_setting('transaction_isolation') $$;
      create function api.bytes() returns api."application/octet-stream" language sql as $$ select '\\x0041ff5c'::bytea $$;
      do $$ begin
        execute format('alter database %I set bytea_output = escape', current_database());
        execute format('alter database %I set default_transaction_read_only = on', current_database());
        execute format('alter database %I set default_transaction_isolation = serializable', current_database());
      end $$`);
    const bytes = await other.call("GET", "/rpc/bytes", { headers: { accept: "application/octet-stream" } });
    expect([...Buffer.from(bytes.body as Uint8Array)]).toEqual([0x00, 0x41, 0xff, 0x5c]);
    expect((await other.call("GET", "/rpc/level")).body).toBe('"read committed"');
    const written = { role: "service_role", body: '{"id":7,"word":"x"}' };
    expect((await other.call("POST", "/rpc/add_secret", written)).status).toBe(200);
    expect((await other.call("GET", "/rpc/add_secret?id=8&word=x", { role: "service_role" })).status).toBe(
      405,
    );
  } finally {
    await other.close();
  }
});
