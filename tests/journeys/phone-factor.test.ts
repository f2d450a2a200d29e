import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { runOn } from "#tests/helpers/run-on.ts";
import { startServer } from "#tests/helpers/server-process.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { visit } from "#tests/helpers/visit.ts";
import { expectNotice, submit } from "./account-page.ts";

type Text = { user: { phone: string }; sms: { otp: string; sms_type: string; phone: string } };

/** A site with an SMS hook; records the text messages. */
async function openSiteWithTexts() {
  const texts: Text[] = [];
  const hook = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    texts.push(JSON.parse(body));
    response.end();
  });
  await once(hook.listen(0, "127.0.0.1"), "listening");
  const dataDir = readyDataDir();
  const server = await startServer({
    env: {
      DATA_DIR: dataDir,
      SMS_HOOK_URL: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
      SMS_HOOK_SECRET: `v1,whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    },
  });
  onTestFinished(async () => {
    await server.stop();
    hook.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  return { address: server.address, databaseUrl, output: server.output, texts };
}

type Site = Awaited<ReturnType<typeof openSiteWithTexts>>;

/** A user whose only second factor is a phone, signed in with both. */
async function joinWithPhone(site: Site, phone: string) {
  const person = await signUpPerson(site);
  const { mfa } = person.client.auth;
  const enrolled = await mfa.enroll({ factorType: "phone", phone: `+${phone}`, friendlyName: "Phone" });
  const factorId = enrolled.data?.id ?? "";
  const { data: challenge } = await mfa.challenge({ factorId, channel: "sms" });
  const first = site.texts.at(-1)?.sms.otp ?? "";
  const verified = await mfa.verify({ factorId, challengeId: challenge?.id ?? "", code: first });
  expect(verified.error).toBe(null);
  const { data } = await person.client.auth.getSession();
  return { person: { ...person, session: data.session ?? person.session }, first };
}

test("a code sent to the phone is required after the password, and no code is in the log", async () => {
  const site = await openSiteWithTexts();
  const { person, first } = await joinWithPhone(site, "15550177");

  const page = await visit("/auth", {
    baseUrl: site.address,
    width: 390,
    expectedProblems: [/answer 422: /],
  });
  await submit(page, "Sign In", person.email, person.password);
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  // Clears the rate limit, as if a minute had passed since the last text.
  await runOn(site.databaseUrl, "delete from backend.rate_limits where key like 'accountFactorSms:%'");
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

test("on the account page an old session reauthenticates with a code sent to the phone", async () => {
  const site = await openSiteWithTexts();
  const { person, first } = await joinWithPhone(site, "15550178");
  await runOn(
    site.databaseUrl,
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '11 min';
     delete from backend.rate_limits where key like 'accountFactorSms:%'`,
  );
  const page = await visitAs(person, "/account", {
    address: site.address,
    width: 390,
    expectedProblems: [/answer 4\d\d: /],
  });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  await page.getByLabel("New email").fill("next@example.org");
  await press("Change email");
  await page.getByRole("heading", { name: "Is it really you?" }).waitFor();
  await expectNoAxeFindings(page);
  const field = page.getByLabel("Code from the text message");
  await field.fill(first);
  await press("Continue");
  await expectNotice(page, "Error", "Please ask for a code first.");
  await press("Send me a code");
  await page.getByRole("button", { name: "Send another code" }).waitFor();
  await field.fill(site.texts.at(-1)?.sms.otp ?? "");
  await press("Continue");
  await expectNotice(page, "Email changed");
  await page.getByText("Now: next@example.org").waitFor();
});
