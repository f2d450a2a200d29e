import { Client } from "pg";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { type HookServer, openHookServer } from "#tests/helpers/auth/hook-server.ts";
import { createTestDatabase, type TestDatabase } from "#tests/helpers/database.ts";
import { createHooks } from "../hooks/create-hooks.ts";
import type { Mailer, MailMessage } from "./mailer.ts";
import { createOutgoingMailer, hookMail, type OutgoingMail } from "./outgoing-mail.ts";
import { createQueuedMailer } from "./queued-mailer.ts";

let database: TestDatabase;
let service: Database;
let owner: Client;
let hook: HookServer;
let lines: string[] = [];
let posted: MailMessage[] = [];
let failures = 0;
const open: Mailer<OutgoingMail>[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  service = connectDatabase({ url: database.authUrl, max: 2, applicationName: "auth" });
  owner = new Client({ connectionString: database.url });
  await owner.connect();
  hook = await openHookServer({
    "/mail": (_, response) => (failures-- > 0 ? void response.writeHead(500).end() : {}),
    "/hangs-once": () => (failures-- > 0 ? undefined : {}),
    "/refuses": () => ({ error: { http_code: 422, message: "ann@example.org is not wanted" } }),
  });
});
afterEach(async () => {
  for (const mailer of open.splice(0)) await mailer.close();
  lines = [];
  posted = [];
  hook.heard.length = 0;
});
afterAll(async () => {
  hook.close();
  await owner.end();
  await service.close();
  await database.drop();
});

const log = (line: string) => void lines.push(line);
const letter = (code: string, address?: string) => {
  const data = { email_action_type: "signup", token: code };
  return hookMail({ email: "ann@example.org" }, "http://site.test/auth/v1", data, address);
};
const waiting = async () => (await owner.query("select from backend.mail_queue")).rows.length;
const codes = () => hook.heard.map(({ told }) => (told.email_data as { token: string }).token);

/** `httpMs`: timeout of the hook; long enough for a busy machine if no failure is expected. */
function openMailer(path: string, httpMs = 30_000): Mailer<OutgoingMail> {
  const times = { functionMs: 200, httpMs, pauseMs: 1 };
  const hooks = createHooks({ addresses: { sendEmail: hook.at(path) }, times, database: service, log });
  const server: Mailer = { send: async (mail) => void posted.push(mail), close: () => {} };
  const deliver = createOutgoingMailer(server, hooks);
  const mailer = createQueuedMailer({
    databaseUrl: database.authUrl,
    deliver,
    log,
    pause: () => 0.01,
    lookEvery: 10,
  });
  open.push(mailer);
  return mailer;
}

test.each([
  ["/mail", 30_000],
  ["/hangs-once", 1_000],
])("a hook that fails gets the mail again, with the same id: %s", async (path, httpMs) => {
  failures = 1;
  await openMailer(path, httpMs).send(letter("123456"));
  await expect.poll(waiting).toBe(0);
  expect(codes()).toEqual(["123456", "123456"]);
  const ids = hook.heard.map(({ headers }) => headers["webhook-id"]);
  expect(ids[0]).toBe(ids[1]);
  expect(lines.join("\n")).toMatch(/Mail [\w-]{36} \(signup\) is queued and .*the hook send-email failed/);
});

test("the hook learns the address of who caused a mail, in the metadata alone, and none if it is unknown", async () => {
  failures = 0;
  const mailer = openMailer("/mail");
  await mailer.send(letter("123456", "192.0.2.7"));
  await expect.poll(waiting).toBe(0);
  await mailer.send(letter("654321"));
  await expect.poll(waiting).toBe(0);
  const [known, unknown] = hook.heard.map(({ told }) => told);
  expect(known?.metadata).toMatchObject({ name: "send-email", ip_address: "192.0.2.7" });
  expect(Object.keys(known ?? {}).sort()).toEqual(["email_data", "metadata", "user"]);
  expect(unknown?.metadata).not.toHaveProperty("ip_address");
});

test("several processes send each mail to the hook once", async () => {
  failures = 0;
  const mailers = [openMailer("/mail"), openMailer("/mail"), openMailer("/mail")];
  const wanted = Array.from({ length: 20 }, (_, index) => String(index));
  await Promise.all(wanted.map((code, index) => mailers[index % 3]?.send(letter(code))));
  await expect.poll(waiting).toBe(0);
  expect(codes().sort()).toEqual(wanted.sort());
});

test("a hook's refusal drops the mail, and logs a line without address or code", async () => {
  await openMailer("/refuses").send(letter("123456"));
  await expect.poll(waiting).toBe(0);
  expect(hook.heard).toHaveLength(1);
  expect(lines.join()).toMatch(
    /\(signup\) was rejected permanently and discarded: the hook send-email failed \(422/,
  );
  expect(lines.join()).not.toMatch(/ann@|123456/);
});

test("other mails, such as a contact message, go to the mail server", async () => {
  const mail = { to: "operator@example.org", subject: "Contact: hello", text: "hello", html: "hello" };
  await openMailer("/mail").send(mail);
  await expect.poll(() => posted).toEqual([mail]);
  expect(hook.heard).toEqual([]);
});
