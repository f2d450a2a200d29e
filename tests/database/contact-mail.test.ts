import { beforeEach, expect, test } from "vitest";
import { readConfig } from "#server/configuration/config.ts";
import { applySettings } from "#server/database/apply-settings.ts";
import { ownDatabase } from "#tests/helpers/own-database.ts";

const MAILED = readConfig({
  CONTACT_DELIVERY: "email",
  CONTACT_EMAIL: "crew@values.example",
  SMTP_URL: "smtp://localhost",
});
const database = ownDatabase();
let message: string;
beforeEach(async () => {
  await applySettings(database.url, MAILED);
  await database.owner.query("delete from backend.mail_queue");
  await database.owner.query("delete from public.contact_messages");
  const { rows } = await database.owner.query(
    `insert into public.contact_messages (name, email, subject, message)
     values ('Ana', 'a@example.org', 'Hi', 'Hello') returning id`,
  );
  message = rows[0].id;
});

async function mail(role = "service_role"): Promise<boolean> {
  await database.owner.query("begin");
  try {
    await database.owner.query(`set local role ${role}`);
    const { rows } = await database.owner.query(
      "select public.mail_contact_message($1, 's', 't', 'h') as done",
      [message],
    );
    return rows[0].done;
  } finally {
    await database.owner.query("commit");
  }
}

const queued = async () =>
  (await database.owner.query("select message from backend.mail_queue")).rows.map((row) => row.message);

test("a message is mailed once, to the operator, and replies go to its sender", async () => {
  expect([await mail(), await mail()]).toEqual([true, false]);
  expect(await queued()).toEqual([
    {
      to: "crew@values.example",
      replyTo: { name: "", address: "a@example.org" },
      subject: "s",
      text: "t",
      html: "h",
    },
  ]);
});

test.each(["anon", "authenticated"])("%s cannot send the mail", async (role) => {
  await expect(mail(role)).rejects.toMatchObject({ code: "42501" });
  expect(await queued()).toEqual([]);
});

test("no message is mailed if the operator wants none or while the queue is long; it waits", async () => {
  await applySettings(database.url, readConfig({ CONTACT_DELIVERY: "database" }));
  expect(await mail()).toBe(false);
  await applySettings(database.url, MAILED);
  await database.owner.query(
    "insert into backend.mail_queue (message) select '{}' from generate_series(1, 1000)",
  );
  expect(await mail()).toBe(false);
  await database.owner.query("delete from backend.mail_queue");
  expect(await mail()).toBe(true);
});
