import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { startServer } from "#tests/helpers/server-process.ts";
import { signUpPerson } from "#tests/helpers/signed-in.ts";
import { visit } from "#tests/helpers/visit.ts";
import { expectNotice, submit } from "./account-page.ts";

type Text = { user: { phone: string }; sms: { otp: string; sms_type: string; phone: string } };

/** A site whose operator passes text messages on; the newest of them. */
async function openSiteWithTexts() {
  const texts: Text[] = [];
  const hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    texts.push(JSON.parse(body));
    response.end();
  });
  await once(hook.listen(0, "127.0.0.1"), "listening");
  const dataDir = mkdtempSync(join(tmpdir(), "fruit-values-texts-"));
  const server = await startServer({
    env: {
      DATA_DIR: dataDir,
      SMS_HOOK_URL: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
      SMS_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 7).toString("base64")}`,
      GOTRUE_MFA_PHONE_MAX_FREQUENCY: "1s",
    },
  });
  onTestFinished(async () => {
    await server.stop();
    hook.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { address: server.address, output: server.output, texts };
}

test("a telephone is asked for its code after the password, and no code is in the log", async () => {
  const site = await openSiteWithTexts();
  const person = await signUpPerson({ address: site.address, databaseUrl: "" });
  const { mfa } = person.client.auth;
  const enrolled = await mfa.enroll({ factorType: "phone", phone: "+15550177", friendlyName: "Phone" });
  const factorId = enrolled.data?.id ?? "";
  const { data: challenge } = await mfa.challenge({ factorId, channel: "sms" });
  const first = site.texts.at(-1)?.sms.otp ?? "";
  const verified = await mfa.verify({ factorId, challengeId: challenge?.id ?? "", code: first });
  expect(verified.error).toBe(null);

  const page = await visit("/auth", {
    baseUrl: site.address,
    width: 390,
    expectedProblems: [/answer 422: /],
  });
  await submit(page, "Sign In", person.email, person.password);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  // The telephone gets one text a second, and this machine may be quicker than that.
  await page.waitForTimeout(1_100);
  await press("Send me a code");
  const field = page.getByLabel("Code from the text message");
  await field.fill(first);
  await press("Continue");
  await expectNotice(page, "Error", "Invalid MFA Phone code entered");
  await expectNoAxeFindings(page);
  const { otp, ...how } = site.texts.at(-1)?.sms ?? { otp: "" };
  expect(how).toEqual({ sms_type: "mfa", phone: "15550177" });
  await field.fill(otp);
  await press("Continue");
  await page.waitForURL("/");
  await expectNotice(page, "Logged in successfully");
  for (const secret of [first, otp, "15550177"]) expect(site.output()).not.toContain(secret);
});
