import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import { openPage } from "#tests/helpers/browser.ts";
import { catchMails, type MailCatcher } from "#tests/helpers/mail-catcher.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { alive } from "#tests/helpers/visit.ts";

// With CONTACT_DELIVERY=email (P20): the function `contact` forwards stored messages.

const OPERATOR = "crew@values.example";
const dataDir = readyDataDir();
let catcher: MailCatcher;
let server: ServerProcess;
let database: Database;
let stranger: SupabaseClient;

beforeAll(async () => {
  catcher = await catchMails();
  const env = {
    DATA_DIR: dataDir,
    CONTACT_DELIVERY: "email",
    CONTACT_EMAIL: OPERATOR,
    SMTP_URL: catcher.url,
  };
  server = await startServer({ env });
  database = connectDatabase({ url: readFileSync(join(dataDir, "database-url"), "utf8").trim(), max: 1 });
  stranger = createClient(server.address, await readAnonKey(server.address));
});

afterAll(async () => {
  await database?.close();
  await server?.stop();
  await catcher?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const unmailed = async () =>
  (await database.query("select id from public.contact_messages where mailed_at is null")).length;

test("the form announces the delivery by email, and a message reaches the operator's mailbox once", async () => {
  const page = await openPage({ baseUrl: server.address });
  await page.goto("/contact");
  await alive(page);
  await page
    .getByText("we store your name, email address, subject and message, and get them by email")
    .waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Mara <b>");
  await page.getByLabel("Email", { exact: true }).fill("mara@example.com");
  await page.getByLabel("Subject", { exact: true }).fill("A value & more");
  await page.getByLabel("Message", { exact: true }).fill("Tiger is too low.\n<script>1</script>");
  await page.getByRole("button", { name: "Send Message" }).click();
  await page.getByRole("status").filter({ hasText: "Message Sent!" }).waitFor();
  await expect.poll(() => catcher.mails.length).toBe(1);
  const [mail] = catcher.mails;
  expect(mail?.to).toEqual([OPERATOR]);
  expect(mail?.content).toMatch(/^To: crew@values\.example$/m);
  expect(mail?.content).toMatch(/^Reply-To: mara@example\.com$/m);
  expect(mail?.content).toMatch(/^Subject: Contact: A value & more$/m);
  expect(mail?.content).toContain("Tiger is too low.");
  expect(mail?.content).toContain("&#60;script&#62;");
  await expect.poll(unmailed).toBe(0);
});

test("a message sent without the form is mailed too, and a stranger who calls the function sends no mail", async () => {
  const message = { name: "Max", email: "max@example.com", subject: "Hi", message: "Hi" };
  const sent = catcher.mails.length;
  expect((await stranger.from("contact_messages").insert(message)).error).toBeNull();
  await expect.poll(() => catcher.mails.length).toBe(sent + 1);
  const body = { to: "victim@example.com", subject: "spam", message: "spam" };
  const { data } = await stranger.functions.invoke("contact", { body });
  expect(data).toEqual({ mailed: 0 });
  const byHand = await stranger.rpc("mail_contact_message", {
    message_id: crypto.randomUUID(),
    subject: "spam",
    body_text: "spam",
    body_html: "spam",
  });
  expect(byHand.error?.code).toBe("42501");
  expect(catcher.mails.map(({ to }) => to)).toEqual(Array(sent + 1).fill([OPERATOR]));
});

test("the privacy page says that a copy is sent to a mailbox", async () => {
  expect(await (await fetch(`${server.address}/privacy`)).text()).toContain("A copy goes to our own mailbox");
});
