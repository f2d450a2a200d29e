import { setImmediate as turn } from "node:timers/promises";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { relayDatabase } from "#tests/helpers/database-relay.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { createSmtpMailer, type Mailer } from "./mailer.ts";
import { createQueuedMailer, type QueuedMailerOptions } from "./queued-mailer.ts";

const from = { name: "Harbor", address: "no-reply@harbor.test" };
const mailOf = (number: number, to = "ann@example.org") => {
  const text = `code ${number}`;
  return { to, subject: "Your code for Harbor", text, html: `<p>${number}</p>` };
};

let database: TestDatabase;
let owner: Client;
let lines: string[];
const open: Mailer[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = new Client({ connectionString: database.url });
  await owner.connect();
});
beforeEach(async () => {
  lines = [];
  await owner.query("truncate backend.mail_queue, backend.lost_mails");
  await owner.query(
    "insert into backend.lost_mails (why, lost_at) values ('refused', now() - interval '31 days')",
  );
});
afterEach(async () => {
  vi.useRealTimers();
  for (const mailer of open.splice(0)) await mailer.close();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

/** The numbers of the mails that a server accepted. */
const taken = ({ mails }: MailCatcher) => mails.map(({ text }) => Number(/^code (\d+)$/m.exec(text)?.[1]));

type Options = Partial<QueuedMailerOptions>;

function openMailer(port: number, options: Options = {}): Mailer {
  return openMailerBy(createSmtpMailer(`smtp://127.0.0.1:${port}?ignoreTLS=true`, from).send, {
    pause: () => 0.01,
    ...options,
  });
}

/** Sends as `send` does, without a mail server. */
function openMailerBy(send: Mailer["send"], options: Options = {}): Mailer {
  const deliver = { send, close: () => {} };
  const log = (line: string) => void lines.push(line);
  const databaseUrl = database.authUrl;
  const mailer = createQueuedMailer({ databaseUrl, deliver, log, lookEvery: 10, ...options });
  open.push(mailer);
  return mailer;
}

/** Why mails were lost; the next loss deletes old records. */
const lost = async () =>
  (await owner.query("select why from backend.lost_mails order by id")).rows.map(({ why }) => why);
const waiting = async () => (await owner.query("select message from backend.mail_queue")).rows.length;

test("if the server is down, one line is logged, and the mail is sent when it is back, also by another process", async () => {
  const first = await catchMails();
  await first.close();
  const mailer = openMailer(first.port);
  await mailer.send(mailOf(1));
  await expect.poll(() => lines.length).toBe(1);
  expect(lines[0]).toMatch(
    /^Mail [\w-]{36} \(Your code for Harbor\) is queued and .* cannot be reached \(E\w+ at CONN\)\.$/,
  );
  await mailer.close();
  open.pop();
  expect(await waiting()).toBe(1);
  const back = await catchMails({ port: first.port });
  openMailer(first.port);
  await expect.poll(() => taken(back)).toEqual([1]);
  await expect.poll(waiting).toBe(0);
  expect(lines).toHaveLength(1);
  await back.close();
});

test("mails are sent on once the queue's connection, which fell silent, was given up on", async () => {
  const server = await catchMails();
  const relay = await relayDatabase(database.authUrl);
  const mailer = openMailer(server.port, { databaseUrl: relay.url, answerTimeout: 1_000 });
  await mailer.send(mailOf(1));
  await expect.poll(waiting).toBe(0);
  relay.fallSilent();
  // A question that the database was still to answer would take the next mail, whose answer is lost.
  await owner.query(
    "select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'mail' and datname = current_database()",
  );
  await owner.query("insert into backend.mail_queue (message) values ($1)", [mailOf(2)]);
  await expect.poll(() => taken(server)).toEqual([1, 2]);
  await expect.poll(waiting).toBe(0);
  // What fell silent would hold up the end.
  relay.cut();
  await open.pop()?.close();
  await relay.close();
  await server.close();
});

test("a mail that takes long holds up no other", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const mailer = openMailerBy(async ({ text }) => {
    begun.push(text);
    if (text === "code 1") await ended;
  });
  await mailer.send(mailOf(1));
  await expect.poll(() => begun).toEqual(["code 1"]);
  await mailer.send(mailOf(2));
  await expect.poll(waiting).toBe(1);
  expect(begun).toEqual(["code 1", "code 2"]);
  end();
  await expect.poll(waiting).toBe(0);
});

/** A mailer whose server never answers, and what it was asked to send. */
function openSilentMailer(options?: Options) {
  const begun: string[] = [];
  const { promise: never, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  const mailer = openMailerBy(({ text }) => {
    begun.push(text);
    return never;
  }, options);
  return { mailer, begun };
}

const fakeTimeouts = () => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });

test("mails whose server does not answer hold up an end for ten seconds, and stay queued", async () => {
  const { mailer, begun } = openSilentMailer();
  for (let number = 1; number <= 9; number++) await mailer.send(mailOf(number));
  await expect.poll(() => begun).toHaveLength(8);
  fakeTimeouts();
  let isClosed = false;
  const closed = Promise.resolve(open.pop()?.close()).then(() => {
    isClosed = true;
  });
  // Not by polling, which lets fake time pass.
  while (vi.getTimerCount() === 0) await turn();
  await vi.advanceTimersByTimeAsync(9_999);
  expect(isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await closed;
  expect(await waiting()).toBe(9);
  expect(begun).toHaveLength(8);
});

test("a mail whose server does not answer is put back before another process takes it", async () => {
  fakeTimeouts();
  const { mailer, begun } = openSilentMailer({ lookEvery: 60_000, pause: () => 3600 });
  await mailer.send(mailOf(1));
  await expect.poll(() => begun).toEqual(["code 1"]);
  const { rows } = await owner.query(
    "select extract(epoch from next_try_at - now()) * 1000 as ms from backend.mail_queue",
  );
  vi.advanceTimersByTime(Number(rows[0].ms) - 10_000);
  await expect.poll(() => lines).toEqual([expect.stringContaining("the mail server does not answer")]);
});

test("a database that cannot be reached is logged", async () => {
  const relay = await relayDatabase(database.authUrl);
  const mailer = openMailerBy(async () => {}, { databaseUrl: relay.url, handsOn: false });
  await relay.close();
  await expect(mailer.send(mailOf(1))).rejects.toThrow();
  expect(lines).toEqual([expect.stringMatching(/^Requests fail: /)]);
});

test.each([
  ["self-signed certificate", "ESOCKET", "certificate is not trusted (self-signed certificate)"],
  ["Greeting never received", "ETIMEDOUT", "does not answer (ETIMEDOUT at CONN)"],
])("why a mail waits is told: %s", async (message, code, told) => {
  const mailer = openMailerBy(async () => {
    throw Object.assign(new Error(message), { code, command: "CONN" });
  });
  await mailer.send(mailOf(1));
  await expect.poll(() => lines).toEqual([expect.stringContaining(`retried for a day: the mail server`)]);
  expect(lines[0]).toContain(told);
});

test("several processes send each mail once", async () => {
  const server = await catchMails();
  const { port } = server;
  const mailers = [openMailer(port), openMailer(port), openMailer(port)];
  const numbers = Array.from({ length: 30 }, (_, index) => index);
  await Promise.all(numbers.map((number) => mailers[number % 3]?.send(mailOf(number))));
  await expect.poll(waiting).toBe(0);
  expect(taken(server).sort((a, b) => a - b)).toEqual(numbers);
  await server.close();
});

test("a mail whose recipient is permanently rejected is dropped at once, and logged without the address", async () => {
  const { port, close } = await catchMails({ refuses: "nobody@example.org" });
  await openMailer(port, { lookEvery: 60_000 }).send(mailOf(1, "nobody@example.org"));
  await expect.poll(waiting).toBe(0);
  expect(lines).toEqual([
    expect.stringMatching(/^Mail .* was rejected permanently and discarded: the mail server answered 550 /),
  ]);
  expect(lines.join()).not.toContain("nobody");
  expect(await lost()).toEqual(["refused"]);
  await close();
});

test("after a day a mail is dropped with a line, and its code is deleted", async () => {
  const { port, close } = await catchMails();
  await close();
  await owner.query(
    "insert into backend.mail_queue (message, tries, created_at) values ($1, 30, now() - interval '25 hours')",
    [mailOf(1)],
  );
  openMailer(port);
  await expect.poll(waiting).toBe(0);
  await expect.poll(() => lines.join()).toMatch(/was discarded after a day and 31 attempts/);
  await expect.poll(lost).toEqual(["given up"]);
});

test("a mail that was queued while the clock was a day ahead is sent at once", async () => {
  const server = await catchMails();
  await owner.query(
    "insert into backend.mail_queue (message, created_at, next_try_at) values ($1, now() + interval '1 day', now() + interval '1 day')",
    [mailOf(7)],
  );
  openMailer(server.port);
  await expect.poll(() => taken(server)).toEqual([7]);
  await expect.poll(waiting).toBe(0);
  await server.close();
});

test("mails beyond the queue's capacity are logged and dropped", async () => {
  const { port, close } = await catchMails();
  await close();
  await owner.query(
    `insert into backend.mail_queue (message, next_try_at)
     select '{}', now() + interval '1 hour' from generate_series(1, 10000)`,
  );
  await openMailer(port).send(mailOf(1));
  expect(lines.join()).toMatch(/was discarded: too many are queued/);
  expect(await waiting()).toBe(10_000);
  expect(await lost()).toEqual(["no room"]);
});

test("queued mails cannot be read through the API", async () => {
  const { rows } = await owner.query(`
    select rolname, has_schema_privilege(rolname, 'backend', 'usage')
        and has_table_privilege(rolname, 'backend.mail_queue', 'select') as reads,
      (select relrowsecurity from pg_class where oid = 'backend.mail_queue'::regclass) as secured
    from pg_roles where rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'supabase_auth_admin')
    order by rolname`);
  expect(rows.filter(({ reads }) => reads).map(({ rolname }) => rolname)).toEqual(["supabase_auth_admin"]);
  expect(rows.every(({ secured }) => secured)).toBe(true);
});
