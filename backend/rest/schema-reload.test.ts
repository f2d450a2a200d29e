import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { json, type RestFixture, startRest } from "#tests/helpers/rest/rest-fixture.ts";
import { defaultRestConfig } from "./rest-config.ts";

// This database has no event trigger, so each test shows its own way to the new schema.
let fixture: RestFixture;

beforeAll(async () => {
  fixture = await startRest({}, 2);
  await fixture.call("GET", "/people");
});

afterAll(() => fixture.close());

const grants = "grant select, insert on all tables in schema api to anon";
const nextLook = () => wait(300);

test("a table created after startup is found by the first request for it", async () => {
  await fixture.admin(
    `create table api.ships (id int primary key, name text); insert into api.ships values (1, 'Going Merry'); ${grants}`,
  );
  expect(json(await fixture.call("GET", "/ships"))).toEqual([{ id: 1, name: "Going Merry" }]);
});

test("concurrent requests all find it", async () => {
  await nextLook();
  await fixture.admin(`create table api.docks (id int primary key); ${grants}`);
  const answers = await Promise.all(Array.from({ length: 10 }, () => fixture.call("GET", "/docks")));
  expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
});

test("added and dropped columns are noticed by writes and cached plans", async () => {
  await nextLook();
  await fixture.admin("alter table api.ships add column sails int default 3");
  const body = '{"id":2,"name":"Sunny","sails":4}';
  expect(await fixture.call("POST", "/ships", { body })).toMatchObject({ status: 201 });
  expect(json(await fixture.call("GET", "/ships?id=eq.2"))).toEqual([{ id: 2, name: "Sunny", sails: 4 }]);
  await fixture.admin("alter table api.ships drop column sails");
  expect(json(await fixture.call("GET", "/ships?id=eq.2"))).toEqual([{ id: 2, name: "Sunny" }]);
});

test("a foreign key and a function created later are found", async () => {
  await nextLook();
  await fixture.admin(
    `create table api.crews (id int primary key, ship_id int references api.ships); ${grants}`,
  );
  expect(json(await fixture.call("GET", "/crews?select=id,ships(name)"))).toEqual([]);
  await nextLook();
  await fixture.admin("create function api.later() returns int language sql stable as 'select 7'");
  expect((await fixture.call("GET", "/rpc/later")).body).toBe("7");
});

test("a notification reloads at once, even changes that no miss would reveal", async () => {
  await fixture.admin("comment on table api.people is 'Everybody aboard'; notify pgrst, 'reload schema'");
  const described = async () => String((await fixture.call("GET", "/")).body).includes("Everybody aboard");
  await expect.poll(described).toBe(true);
});

test("requests during reloads succeed", async () => {
  const reloads = Array.from({ length: 5 }, () => fixture.rest.schema.reload());
  const answers = await Promise.all(
    Array.from({ length: 40 }, () => fixture.call("GET", "/people?select=id&id=eq.1")),
  );
  await Promise.all(reloads);
  expect(new Set(answers.map((answer) => answer.body))).toEqual(new Set(['[{"id":1}]']));
});

test("requests for missing tables cost an occasional check but no reload", async () => {
  await nextLook();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => fixture.call("GET", `/nothing_${n}`)),
  );
  expect(answers.every((answer) => answer.status === 404)).toBe(true);
});

test("while an exposed schema does not exist, requests are told to come back, until it does", async () => {
  const lines: string[] = [];
  const schemas = ["api", "annex", "attic"];
  const waiting = await startRest({ schemas, log: (line, level) => lines.push(`${level}: ${line}`) }, 2);
  onTestFinished(() => waiting.close());
  for (const path of ["/people", "/", "/people"]) {
    const { status, headers, body } = await waiting.call("GET", path);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    expect(JSON.parse(String(body))).toEqual({
      code: "PGRST002",
      message: "Could not query the database for the schema cache. Retrying.",
      details: null,
      hint: null,
    });
  }
  expect(waiting.rest.schema.loaded()).toMatchObject({ succeeded: 0 });
  expect(lines).toEqual(["error: rest: the database has no schema annex, attic: waiting for it"]);
  await waiting.admin("create schema annex; create schema attic; create table attic.chests ()");
  await expect.poll(() => waiting.rest.schema.loaded().succeeded).toBe(1);
  expect((await waiting.call("GET", "/people")).status).toBe(200);
  await waiting.admin("drop schema attic cascade");
  await expect(waiting.rest.schema.reload()).rejects.toThrow("not in the database: attic");
  expect((await waiting.call("GET", "/people")).status).toBe(200);
  await nextLook();
  expect((await waiting.call("GET", "/nothing")).status).toBe(404);
  expect(lines.slice(1)).toEqual(["error: rest: the database has no schema attic: waiting for it"]);
});

test("a missing schema is looked for again after a load that failed for another reason", async () => {
  // Without a channel: once listening again after the interruption, it would reload anyway.
  const waiting = await startRest({ schemas: ["api", "annex"], channel: null }, 1);
  onTestFinished(() => waiting.close());
  const limitConnections = (limit: number) =>
    waiting.admin(
      `do $$ begin execute format('alter database %I connection limit ${limit}', current_database()); end $$`,
    );
  expect(String((await waiting.call("GET", "/people")).body)).toContain("PGRST002");
  await limitConnections(0);
  await waiting.admin(
    "select pg_terminate_backend(pid, 1000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await expect.poll(async () => String((await waiting.call("GET", "/people")).body)).toContain("PGRST000");
  const { failed } = waiting.rest.schema.loaded();
  await expect.poll(() => waiting.rest.schema.loaded().failed).toBeGreaterThan(failed);
  await limitConnections(-1);
  await waiting.admin("create schema annex");
  await expect.poll(() => waiting.rest.schema.loaded().succeeded).toBe(1);
});

test("a requested reload that fails is tried again, and the failure logged once", async () => {
  const lines: string[] = [];
  const denied = await startRest({ log: (line, level) => lines.push(`${level}: ${line}`) }, 2);
  onTestFinished(() => denied.close());
  await denied.call("GET", "/people");
  const { schema } = denied.rest;
  await schema.listens();
  await denied.admin("revoke select on pg_catalog.pg_description from public; notify pgrst, 'reload schema'");
  await expect.poll(() => schema.loaded().failed).toBe(1);
  await expect(schema.reload()).rejects.toThrow("permission denied");
  await denied.admin("grant select on pg_catalog.pg_description to public");
  await expect.poll(() => schema.loaded().succeeded).toBe(2);
  expect(lines).toEqual([
    expect.stringMatching(
      /^error: rest: the schema cache cannot be loaded, trying again: DatabaseError 42501/,
    ),
  ]);
});

test("closed while it is being reconfigured, it listens no more", async () => {
  const closing = await startRest({}, 2);
  onTestFinished(() => closing.close());
  await closing.call("GET", "/people");
  await closing.rest.schema.listens();
  const verifier = createTokenVerifier({ secret: "x".repeat(32), anonRole: "anon" });
  const replacing = closing.rest.replace({ ...defaultRestConfig, schemas: ["api"] }, verifier);
  await closing.rest.close();
  await replacing;
  const listeners = `select pid from pg_stat_activity
    where datname = current_database() and application_name = 'pgrst listener'`;
  await expect.poll(() => closing.database.query(listeners)).toEqual([]);
});
