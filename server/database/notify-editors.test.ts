import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { type Listening, listen } from "#tests/helpers/listen.ts";
import { ACCOUNTS } from "#tests/helpers/people.ts";
import { composeNotice, notifyEditors } from "./notify-editors.ts";

const SITE = "https://values.example";

let database: TestDatabase;
let owner: Client;
let server: Listening;
let webhook: string;
let answers: number[];
const got: { content: string; allowed_mentions: unknown }[] = [];

beforeEach(async () => {
  database = await createTestDatabase({ people: true });
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query("update public.items set values_checked_at = now()");
  got.length = 0;
  answers = [];
  const taking = createServer(async (request, response) => {
    const posted = await json(request);
    const status = answers.shift() ?? 204;
    if (status < 300) got.push(posted as (typeof got)[number]);
    response.writeHead(status).end();
  });
  server = await listen(taking);
  webhook = `${server.url}/hook/secret`;
});
afterEach(async () => {
  await server.close();
  await owner.end();
  await database.drop();
});

/** Ana proposes a value, which waits for approval. */
const propose = (slug: string) =>
  owner.query(
    `insert into public.value_proposals (item_id, field, old_value, new_value, reason_code, note, state, why, proposed_by, proposed_as)
     select id, 'current_value', current_value, '900M', 'other', 'Ask Ana at ana@example.org', 'waiting', 'large', $2, 'editor'
     from public.items where slug = $1`,
    [slug, ACCOUNTS.Ana.id],
  );
const waits = (text: string) => ({
  content: `${text}\n${SITE}/admin?tab=proposals`,
  allowed_mentions: { parse: [] },
});
const readNotices = async () =>
  (
    await owner.query(
      "select kind, count, items, webhook_tries as tries, webhook_next_at as next, webhook_sent_at is not null as sent from public.editor_notices order by id",
    )
  ).rows;
const tell = (options = {}, report: (line: string) => void = (line) => expect.fail(line)) =>
  notifyEditors(
    database.url,
    { webhook, siteUrl: SITE, siteName: "Fruit & Values", every: 20, ...options },
    report,
  );

test("what waits is told once, by however many processes, without who proposed it and what they wrote", async () => {
  await propose("kitsune");
  await propose("buddha");
  const stops = Array.from({ length: 4 }, () => tell());
  await expect.poll(() => got).toEqual([waits("2 values wait for a second person: Buddha, Kitsune")]);
  await propose("rocket");
  // Stopped before the answer, it would be tried again.
  await expect.poll(readNotices).toMatchObject([{ sent: true, next: null, tries: 1 }, { sent: true }]);
  await Promise.all(stops.map((stop) => stop()));
  expect(got).toHaveLength(2);
  expect(got[1]).toEqual(waits("1 value waits for a second person: Rocket"));
  expect(JSON.stringify(got)).not.toMatch(/ana|SwiftOtter/i);
});

test("a webhook that fails is tried again later, and its secret is in no line of the log", async () => {
  answers = [500];
  await propose("kitsune");
  const lines: string[] = [];
  const stop = tell({}, (line) => lines.push(line));
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toContain("the webhook answered 500");
  expect(lines[0]).not.toContain("secret");
  expect(got).toEqual([]);
  await owner.query("update public.editor_notices set webhook_next_at = now()");
  await expect.poll(() => got.length).toBe(1);
  await stop();
});

test("after six tries it is given up", async () => {
  answers = Array(6).fill(500);
  await propose("kitsune");
  const stop = tell({}, () => {});
  await expect
    .poll(async () => {
      await owner.query(
        "update public.editor_notices set webhook_next_at = now() where webhook_next_at > now()",
      );
      return readNotices();
    })
    .toMatchObject([{ tries: 6, next: null, sent: false }]);
  expect(got).toEqual([]);
  await stop();
});

test("each kind of news is noted, and without a webhook nothing is kept for one", async () => {
  await propose("kitsune");
  await owner.query(
    "update public.items set values_checked_at = now() - interval '31 days' where slug in ('spin', 'rocket')",
  );
  await owner.query(
    `insert into public.item_value_changes (item_id, mode, old_value, new_value, changed_as)
     select id, 'regular', old, 'N/A', role from public.items, (values ('1M', 'editor'), ('1M', null), (null, 'editor')) as changes (old, role)
     where slug = 'buddha'`,
  );
  await owner.query(
    "insert into public.reports (kind, code, subject_id, evidence, reported_user_id) values ('refusals', 'other', gen_random_uuid(), '', $1)",
    [ACCOUNTS.Ben.id],
  );
  await owner.query("insert into backend.mail_queue (message, tries) values ('{}', 3), ('{}', 2)");
  const stop = tell({ webhook: null });
  await expect.poll(async () => (await readNotices()).length).toBeGreaterThan(0);
  await stop();
  expect(await readNotices()).toMatchObject([
    { kind: "failed_mails", count: 1, items: [], next: null },
    { kind: "large_changes", count: 1, items: ["Buddha"], next: null },
    { kind: "proposals", count: 1, items: ["Kitsune"], next: null },
    { kind: "reports", count: 1, items: [], next: null },
    { kind: "stale", count: 2, items: ["Rocket", "Spin"], next: null },
  ]);
  expect(got).toEqual([]);
});

test("many items are told by five names, and never too long", () => {
  const items = ["A", "B", "C", "D", "E"];
  expect(composeNotice({ kind: "stale", count: 86, items }, SITE).content).toBe(
    `86 items have not been checked for 30 days: A, B, C, D, E …\n${SITE}/admin?tab=work`,
  );
});
