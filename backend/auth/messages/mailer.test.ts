import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { listen } from "#tests/helpers/listen.ts";
import { catchMails } from "#tests/helpers/mail-catcher.ts";
import { defaultAuthConfig } from "../service/auth-config.ts";
import { writeMail } from "./mail-templates.ts";
import { createOutboxMailer, createSmtpMailer } from "./mailer.ts";

const from = { name: "Harbor", address: "no-reply@harbor.test" };
const mail = writeMail("recovery", {
  to: "ann@example.org",
  code: "123456",
  link: "http://site.test/verify?token=abc&type=recovery",
  siteName: "Tom & Jerry's <b>",
  otpExpiry: defaultAuthConfig.otpExpiry,
});

test("a mail has the same content as text and as HTML, with the site's name escaped", () => {
  expect(mail.subject).toBe("Choose a new password for Tom & Jerry's <b>");
  for (const body of [mail.text, mail.html]) {
    expect(body).toContain("123456");
    expect(body).toContain("It works once, for one hour.");
  }
  expect(mail.text).toContain("http://site.test/verify?token=abc&type=recovery");
  expect(mail.html).toContain('href="http://site.test/verify?token=abc&amp;type=recovery"');
  expect(mail.html).toContain("Tom &amp; Jerry&#39;s &lt;b&gt;");
  expect(mail.html).not.toContain("<b>");
});

test("without a mail server, a mail is a file readable only by its owner, logged without address or code", async () => {
  const parent = mkdtempSync(join(tmpdir(), "outbox-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, "outbox");
  const lines: string[] = [];
  await createOutboxMailer(folder, from, (line) => lines.push(line)).send(mail);
  const [name = ""] = readdirSync(folder);
  expect(name).toMatch(/^\d{4}-.*\.eml$/);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const content = readFileSync(join(folder, name), "utf8");
  expect(content).toMatch(/^From: Harbor <no-reply@harbor\.test>$/m);
  expect(content).toMatch(/^To: ann@example\.org$/m);
  expect(lines).toEqual([`A mail was written to ${join(folder, name)}: SMTP_URL is not set.`]);
});

test("with a mail server the mail is handed over; if it is unreachable, sending rejects", async () => {
  const server = await catchMails();
  const mailer = createSmtpMailer(`${server.url}?ignoreTLS=true`, from);
  await mailer.send(mail);
  expect(server.mails[0]?.text).toContain("123456");
  // One recipient, not a list or a group that names others.
  for (const to of ["all:ann@example.org", "ann@example.org, eve@example.org", "ann@example.org(2)"])
    await mailer.send({ ...mail, to }).catch(() => {});
  expect(server.mails.slice(1).flatMap(({ to }) => to)).not.toContain("ann@example.org");
  mailer.close();
  await server.close();
  await expect(createSmtpMailer("smtp://127.0.0.1:1", from).send(mail)).rejects.toThrow();
});

test("a mail server may take half a minute for its greeting", async () => {
  const server = createServer();
  const { port, close } = await listen(server);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(async () => {
    vi.useRealTimers();
    await close();
  });
  const sent = createSmtpMailer(`smtp://127.0.0.1:${port}`, from).send(mail);
  const greeted = expect(sent).rejects.toMatchObject({ responseCode: 421 });
  const [socket] = (await once(server, "connection")) as [Socket];
  // Until the client has noticed its connection, too, and waits for the greeting.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  vi.advanceTimersByTime(30_000);
  socket.end("421 later\r\n");
  await greeted;
});
