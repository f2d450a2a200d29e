import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WORDS } from "#domain/notices/describe-notice.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import {
  ADD_EDITOR,
  ADD_MODERATOR,
  asPerson,
  attempt,
  become,
  becomeOwner,
  OWNERS,
  type Owner,
} from "#tests/helpers/people.ts";
import { composeNoticeMail, notifyEditors } from "./notify-editors.ts";

const SITE = "https://values.example";

let database: TestDatabase;
let owner: Client;

beforeEach(async () => {
  database = await createTestDatabase({ people: true });
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  await owner.query(ADD_EDITOR + ADD_MODERATOR);
  await owner.query("update auth.users set email_confirmed_at = now()");
  await owner.query("update public.items set values_checked_at = now()");
  await owner.query("update private.settings set site_url = $1", [SITE]);
});
afterEach(async () => {
  await owner.end();
  await database.drop();
});

/** Creates a notice of the given age. */
const note = (kind: string, items: string[] = [], age = "11 minutes") =>
  owner.query(
    "insert into public.editor_notices (kind, count, items, created_at) values ($1, $2, $3, now() - $4::interval)",
    [kind, items.length || 1, items, age],
  );
const ask = (...people: Owner[]) =>
  owner.query("insert into public.notice_mails (user_id) select unnest($1::uuid[])", [
    people.map((person) => OWNERS[person].id),
  ]);
const readMails = async () =>
  (await owner.query("select message from backend.mail_queue order by message ->> 'to'")).rows.map(
    ({ message }) => message,
  );
const addresses = async () => (await readMails()).map(({ to }) => to);

/** Runs several processes several times. */
async function look(): Promise<void> {
  const { rows } = await owner.query(
    "insert into public.editor_notices (kind, count, created_at) values ('failed_mails', 1, now() - interval '31 days') returning id",
  );
  const isDone = async () =>
    (await owner.query("select from public.editor_notices where id = $1", [rows[0].id])).rowCount === 0;
  const stops = Array.from({ length: 3 }, () =>
    notifyEditors(database.url, { webhook: null, siteUrl: SITE, siteName: "Values", every: 10 }, (line) =>
      expect.fail(line),
    ),
  );
  // Each runs at least once before it stops; the old notice goes with the first run.
  await expect.poll(isDone).toBe(true);
  await Promise.all(stops.map((stop) => stop()));
}

test("without asking nobody gets a mail", async () => {
  await note("proposals", ["Kitsune"]);
  await look();
  expect(await readMails()).toEqual([]);
});

test("several news are one mail to the own address, however many processes look, and each is told once", async () => {
  await ask("Eve");
  await note("proposals", ["Buddha", "Kitsune"]);
  await note("stale", ["Rocket"]);
  await look();
  const [mail, ...others] = await readMails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ to: OWNERS.Eve.email, subject: "Values: 2 pieces of news" });
  expect(mail.text).toContain(
    `2 values wait for a second person: Buddha, Kitsune\n${SITE}/admin?tab=proposals\n\n1 item has not been checked`,
  );
  await note("reports");
  await look();
  expect(await readMails()).toHaveLength(1);
  // Six hours later the next mail is due.
  await owner.query("update public.notice_mails set mailed_at = now() - interval '361 minutes'");
  await look();
  const mails = await readMails();
  expect(mails.map(({ subject }) => subject)).toContain("Values: 1 new report");
  expect(mails).toHaveLength(2);
});

test("what happened just now waits for what else happens", async () => {
  await ask("Eve");
  await note("proposals", ["Kitsune"], "9 minutes");
  await look();
  expect(await readMails()).toEqual([]);
});

test("each hears of what is theirs alone, and of nothing from before they asked", async () => {
  await note("proposals", ["Before"]);
  await ask("Eve", "Mia", "Ned");
  await note("proposals", ["Kitsune"]);
  await note("reports");
  await note("failed_mails");
  await look();
  const mails = await readMails();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ["eve@example.org", "Values: 2 pieces of news"],
    ["mia@example.org", "Values: 1 new report"],
    ["ned@example.org", "Values: 1 value waits for a second person: Kitsune"],
  ]);
  expect(JSON.stringify(mails)).not.toContain("Before");
});

test("an address that nobody confirmed, or a site without mails, gets none", async () => {
  await ask("Eve", "Ned");
  await owner.query("update auth.users set email_confirmed_at = null where id = $1", [OWNERS.Ned.id]);
  await note("proposals", ["Kitsune"]);
  await look();
  expect(await addresses()).toEqual(["eve@example.org"]);
  await owner.query("update private.settings set site_url = null");
  await owner.query("update public.notice_mails set mailed_at = null, told_to = 0");
  await look();
  expect(await addresses()).toEqual(["eve@example.org"]);
});

test("one asks for oneself, and ends it again; with the role it ends by itself", async () => {
  const asks = (client: Client) =>
    attempt(client, "insert into public.notice_mails (user_id) values (auth.uid())");
  for (const person of ["visitor", "Ana"] as const) {
    await asPerson(database.url, person, async (client) => {
      await expect(asks(client), person).rejects.toMatchObject({ code: "42501" });
    });
  }
  await asPerson(database.url, "Ned", async (client) => {
    await expect(
      attempt(client, "insert into public.notice_mails (user_id) values ($1)", [OWNERS.Eve.id]),
    ).rejects.toMatchObject({ code: "42501" });
    await asks(client);
    expect((await client.query("delete from public.notice_mails")).rowCount).toBe(1);
    await asks(client);
    await becomeOwner(client);
    await client.query("delete from public.user_roles where user_id = $1", [OWNERS.Ned.id]);
    expect((await client.query("select from public.notice_mails")).rowCount).toBe(0);
    await client.query("update private.settings set site_url = null");
    await become(client, "Mia");
    await expect(asks(client)).rejects.toMatchObject({ code: "23514", message: "This site sends no email" });
    for (const call of [
      "select private.find_notice_mails()",
      "select private.queue_notice_mail(auth.uid(), 9, 'a', 'b', 'c')",
    ]) {
      await expect(attempt(client, call), call).rejects.toMatchObject({ code: "42501" });
    }
  });
});

test("an item's name is text in a mail, whatever it is", () => {
  const { html } = composeNoticeMail([{ kind: "stale", count: 1, items: ["<b>x</b>"] }], {
    siteUrl: SITE,
    siteName: "Values",
  });
  expect(html).toContain("&lt;b&gt;x&lt;/b&gt;");
  expect(html).not.toContain("<b>");
});

test("every kind of notice has words, and is mailed to whom the panel shows it, except about failed mails", async () => {
  const { rows: known } = await owner.query(
    `select kind[1] from pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''::text', 'g') as kind
     where conname = 'editor_notices_kind_is_known'`,
  );
  const kinds = known.map(({ kind }) => kind);
  expect(Object.keys(WORDS).toSorted()).toEqual(kinds.toSorted());
  const staff = ["Eve", "Mia", "Ned"] as const;
  await ask(...staff);
  for (const kind of kinds) await note(kind);
  const { rows: due } = await owner.query("select user_id, notices from private.find_notice_mails()");
  for (const person of staff) {
    const { rows: shown } = await asPerson(database.url, person, (client) =>
      client.query("select kind from public.editor_notices order by id"),
    );
    const mailed = due.find(({ user_id }) => user_id === OWNERS[person].id)?.notices;
    expect(mailed.map(({ kind }: { kind: string }) => kind)).toEqual(
      shown.map(({ kind }) => kind).filter((kind) => kind !== "failed_mails"),
    );
  }
});
