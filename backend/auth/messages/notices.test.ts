import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { openAuth, PASSWORD } from "#tests/helpers/auth/auth-server.ts";
import { type MailTemplate, readTemplate } from "./mail-template.ts";
import { type Notice, writeNotice } from "./notices.ts";

const content = { to: "ann@example.org", link: "http://site.test/auth#way_back=x", siteName: "Harbor" };

test.each<[Notice, string, string]>([
  [
    { kind: "factor_removed", factorType: "totp" },
    "A second factor was removed from your account at Harbor",
    "A second factor of your account at Harbor was removed, so signing in no longer asks for it.",
  ],
  [
    { kind: "passkey_removed" },
    "A passkey was removed from your account at Harbor",
    "A passkey was removed from your account at Harbor and no longer opens it.",
  ],
  [
    { kind: "identity_removed", provider: "discord" },
    "A way to sign in was removed from your account at Harbor",
    "A way to sign in was removed from your account at Harbor and no longer opens it.",
  ],
])("a removal has its own text, with the link to take the account back: $kind", (notice, subject, what) => {
  const mail = writeNotice(notice, content);
  expect(mail.subject).toBe(subject);
  expect(mail.text).toContain(what);
  expect(mail.text).toContain(content.link);
});

test("an operator's template can name the type of the factor added or removed", async () => {
  const design = { subject: readTemplate("{{ .FactorType }} of {{ .Email }}") as MailTemplate };
  const own = await openAuth({
    accountGuard: { proofSeconds: 600, undoPage: "http://site.test/auth" },
    loadMailDesigns: async () => ({ factor: design, factor_removed: design }),
  });
  const { auth } = own.visitor();
  await auth.signUp({ email: "ann@example.org", password: PASSWORD });
  const { data } = await auth.mfa.enroll({ factorType: "totp" });
  if (data?.type !== "totp") throw new Error("no factor");
  const code = new TOTP({ secret: Secret.fromBase32(data.totp.secret) }).generate();
  await auth.mfa.challengeAndVerify({ factorId: data.id, code });
  expect((await auth.mfa.unenroll({ factorId: data.id })).error).toBe(null);
  await own.mailTo("ann@example.org", 2);
  expect(own.mails.map(({ subject }) => subject)).toEqual([
    "totp of ann@example.org",
    "totp of ann@example.org",
  ]);
  await own.close();
});
