import sharp from "sharp";
import { expect, test } from "vitest";
import { expectNoAxeFindings } from "#tests/helpers/browser.ts";
import { changeSite } from "#tests/helpers/change-site.ts";
import { loseAnswer } from "#tests/helpers/lose-answer.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { setApprovedAvatar } from "#tests/helpers/storage/approved-avatar.ts";
import { clientOf, expectNotice } from "./account-page.ts";

// The service refuses requests of a deleted user.
const LEFT = [/answer 403: /, /answer 4\d\d: /];

/** Makes the sign-in an hour old. */
async function ageSignIn(person: SignedIn): Promise<SignedIn> {
  await changeSite(
    `update auth.mfa_amr_claims set updated_at = updated_at - interval '1 hour'
     where session_id in (select id from auth.sessions where user_id = '${person.id}')`,
    "select 1",
  );
  const { data } = await person.client.auth.refreshSession();
  return data.session ? { ...person, session: data.session } : person;
}

async function openDialog(person: SignedIn, width = 1280, problems: RegExp[] = []) {
  const page = await visitAs(person, "/account", { expectedProblems: [...LEFT, ...problems], width });
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Type DELETE to continue").waitFor();
  return page;
}

const leave = "Delete for good";

const UNSURE =
  "No answer came: your account may be deleted already. Please try again in a moment to be sure.";

test("a fresh sign-in and the typed word delete the account and end all its sessions", async () => {
  const person = await signUpPerson();
  await person.client.from("chat_messages").insert({ message: "Fair winds" }).throwOnError();
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const publicUrl = await setApprovedAvatar(testSite(), person, picture);
  expect((await fetch(publicUrl)).status).toBe(200);
  const page = await openDialog(person);
  await page.getByRole("button", { name: "Keep my account" }).click();
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Invalid input", "Please type DELETE");
  await page.getByLabel("Type DELETE to continue").fill("delete");
  await page.getByRole("button", { name: leave }).click();
  await page.waitForURL("/");
  await expectNotice(page, "Account deleted", "Your account and its data are gone.");
  await page.getByRole("link", { name: "Login" }).waitFor();
  expect((await person.client.auth.refreshSession()).error?.code).toBe("refresh_token_not_found");
  expect((await person.client.auth.signInWithPassword(person)).error?.code).toBe("invalid_credentials");
  expect((await fetch(publicUrl)).ok).toBe(false);
  const other = await signUpPerson();
  expect((await other.client.from("chat_messages").select().eq("user_id", person.id)).data).toEqual([]);
  expect((await (await clientOf()).from("profiles").select().eq("id", person.id)).data).toEqual([]);
});

test("a deletion whose answer was lost is told as done, at once or as soon as the service can be asked", async () => {
  const person = await signUpPerson();
  const page = await openDialog(person, 1280, [/request failed: (POST|GET)/]);
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await loseAnswer(page, "**/rpc/delete_own_account");
  await page.route("**/auth/v1/user", (route) => route.abort("connectionfailed"));
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Error", UNSURE);
  await page.unroute("**/auth/v1/user");
  await page.getByRole("button", { name: leave }).click();
  await page.waitForURL("/");
  await expectNotice(page, "Account deleted", "Your account and its data are gone.");
  expect((await person.client.auth.signInWithPassword(person)).error?.code).toBe("invalid_credentials");
});

test("a session that ended is not told as a deleted account", async () => {
  const person = await signUpPerson();
  const page = await openDialog(person, 1280, [/request failed: POST/]);
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await page.route("**/rpc/delete_own_account", (route) => route.abort("connectionfailed"));
  const json = { code: 403, error_code: "session_not_found", msg: "Session not found" };
  await page.route("**/auth/v1/user", (route) => route.fulfill({ status: 403, json }));
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Error", UNSURE);
  expect((await person.client.auth.signInWithPassword(person)).error).toBeNull();
});

test("an old sign-in needs the password again, and a wrong one deletes nothing", async () => {
  const person = await ageSignIn(await signUpPerson());
  const bare = await person.client.rpc("delete_own_account");
  expect(bare.error).toMatchObject({ code: "PT403", message: expect.stringContaining("fresh sign-in") });
  const page = await openDialog(person, 390);
  await expectNoAxeFindings(page);
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await page.getByLabel("Your password", { exact: true }).fill("wrong");
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Error", "Invalid login credentials");
  await page.getByLabel("Your password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: leave }).click();
  await page.waitForURL("/");
  await expectNotice(page, "Account deleted", "Your account and its data are gone.");
  expect((await person.client.auth.signInWithPassword(person)).error?.code).toBe("invalid_credentials");
});

test("a sign-in that is too old by the time the word is typed asks for the password, and keeps the pictures", async () => {
  const person = await signUpPerson();
  const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .png()
    .toBuffer();
  const publicUrl = await setApprovedAvatar(testSite(), person, picture);
  const page = await visitAs(person, "/account", {
    expectedProblems: LEFT,
    prepare: (page) => page.clock.install(),
  });
  await page.getByRole("button", { name: "Delete my account" }).click();
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await page.clock.setSystemTime(Date.now() + 9 * 60_000);
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Error", "Your sign-in is too long ago by now. Please confirm that it’s you.");
  expect((await fetch(publicUrl)).status).toBe(200);
  await page.getByLabel("Your password", { exact: true }).waitFor();
});

test("a user without a password gets a code by mail", async () => {
  const person = await ageSignIn(await signUpPerson());
  const page = await openDialog(person);
  await page.getByRole("button", { name: "No password? Email me a code" }).click();
  await page.getByText(`We sent it to ${person.email}.`).waitFor();
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe("proof");
  await page.getByLabel("Type DELETE to continue").fill("DELETE");
  await page.getByLabel("Code from the email").fill("000000");
  await page.getByRole("button", { name: leave }).click();
  await expectNotice(page, "Error", "Token has expired or is invalid");
});
