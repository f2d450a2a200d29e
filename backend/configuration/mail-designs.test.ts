import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeIn, openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { listen } from "#tests/helpers/listen.ts";
import { readAuthSettings } from "./auth-settings.ts";

let folder: string;
const served = createServer((request, response) => {
  if (request.url === "/recovery.html")
    return response.end("<p>New one: <a href='{{ .ConfirmationURL }}'>go</a></p>");
  if (request.url === "/large.html") return response.end("x".repeat(300_000));
  response.writeHead(404).end();
});
const { url: address, close } = await listen(served);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "designs-"));
});
afterAll(async () => {
  await close();
  await rm(folder, { recursive: true });
});

async function fileOf(content: string): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.html`);
  await writeFile(path, content);
  return path;
}

const account = (email: string) => ({ email, password: PASSWORD });

test("mails use the operator's templates, and no user input becomes markup or a header", async () => {
  const confirmation = await fileOf(
    '<h1>Ahoy {{ .Data.name }}</h1><p>{{.Token}} <a href="{{ .ConfirmationURL }}">Confirm {{ .Email }}</a></p>',
  );
  const own = await openAuth({
    mailerAutoconfirm: false,
    ...readAuthSettings({
      GOTRUE_MAILER_SUBJECTS_CONFIRMATION: "Welcome, {{ .Data.name }}",
      GOTRUE_MAILER_TEMPLATES_CONFIRMATION: confirmation,
      GOTRUE_MAILER_TEMPLATES_RECOVERY: `${address}/recovery.html`,
    }),
  });
  const { auth } = own.visitor();
  const name = '<img src=x onerror="alert(1)">{{ .Token }}\r\nBcc: all@example.org';
  await auth.signUp({ ...account("ann@example.org"), options: { data: { name } } });
  const { subject, html, text } = await own.mailTo("ann@example.org");
  expect(subject).toBe('Welcome, <img src=x onerror="alert(1)">{{ .Token }} Bcc: all@example.org');
  expect(html).not.toContain("<img");
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;{{ .Token }}");
  const code = /<p>(\d{6}) /.exec(html)?.[1] ?? "";
  expect(text).toContain("http://backend.test/auth/v1/verify?token=");
  expect(text).toContain("Confirm ann@example.org");
  const proof = { email: "ann@example.org", token: code, type: "email" } as const;
  expect((await auth.verifyOtp(proof)).error).toBe(null);
  await own.query("update backend.rate_limits set expire = 0");
  await own.visitor().auth.resetPasswordForEmail("ann@example.org");
  const recovery = await own.mailTo("ann@example.org", 2);
  expect(recovery.subject).toBe("Choose a new password for Harbor");
  expect(recovery.html).toMatch(/^<p>New one: <a href='http:\/\/backend\.test\/auth\/v1\/verify\?token=/);
  await own.close();
});

test.each([
  [
    "SUBJECTS_INVITE",
    "Come, {{ .Secret }}",
    /^GOTRUE_MAILER_SUBJECTS_INVITE names \{\{ \.Secret \}\}, which is none of/,
  ],
  [
    "TEMPLATES_INVITE",
    "{{ printf .Email }}",
    /^GOTRUE_MAILER_TEMPLATES_INVITE names \{\{ printf \.Email \}\}/,
  ],
  ["TEMPLATES_INVITE", "{{ .Data.a.b }}", /^GOTRUE_MAILER_TEMPLATES_INVITE names/],
  ["TEMPLATES_INVITE", "nowhere", /^GOTRUE_MAILER_TEMPLATES_INVITE must name a file or an address/],
  ["TEMPLATES_INVITE", "large", /^GOTRUE_MAILER_TEMPLATES_INVITE must name a file or an address/],
  ["TEMPLATES_INVITE", "missing", /^GOTRUE_MAILER_TEMPLATES_INVITE must name a file or an address/],
])("%s of %s prevents the start with a one-sentence error", async (name, content, sentence) => {
  const sources: Record<string, string> = {
    nowhere: join(folder, "nowhere"),
    large: `${address}/large.html`,
    missing: `${address}/missing.html`,
  };
  const start = async () => {
    const isSubject = name.startsWith("SUBJECTS");
    const value = isSubject ? content : (sources[content] ?? (await fileOf(content)));
    await readAuthSettings({ [`GOTRUE_MAILER_${name}`]: value }).loadMailDesigns?.();
  };
  await expect(start()).rejects.toThrow(sentence);
});

test("notices are sent if enabled, without the account guard's undo link, with the operator's subject", async () => {
  const own = await openAuth({
    manualLinking: true,
    ...readAuthSettings({
      GOTRUE_MAILER_NOTIFICATIONS_PASSWORD_CHANGED_ENABLED: "true",
      GOTRUE_MAILER_NOTIFICATIONS_EMAIL_CHANGED_ENABLED: "true",
      GOTRUE_MAILER_SUBJECTS_EMAIL_CHANGED_NOTIFICATION: "{{ .OldEmail }} is now {{ .Email }}",
      GOTRUE_MAILER_NOTIFICATIONS_MFA_FACTOR_UNENROLLED_ENABLED: "false",
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: "false",
    }),
  });
  const { auth } = own.visitor();
  await auth.signUp(account("ann@example.org"));
  await auth.updateUser({ password: `${PASSWORD}2` });
  const { subject, text } = await own.mailTo("ann@example.org");
  expect(subject).toBe("The password of your account at Harbor was changed");
  expect(text).toContain("If it was not you, choose a new password now.");
  expect(text).not.toContain("way_back");
  const next = "anna@example.org";
  await auth.updateUser({ email: next });
  await auth.verifyOtp({ email: next, token: codeIn(await own.mailTo(next)), type: "email_change" });
  expect((await own.mailTo("ann@example.org", 2)).subject).toBe("ann@example.org is now anna@example.org");
  await own.close();
});
