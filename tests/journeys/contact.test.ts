import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { readAnonKey } from "#tests/helpers/anon-key.ts";
import {
  describedBy,
  expectNoAxeFindings,
  openPage,
  openPageWithoutJavaScript,
} from "#tests/helpers/browser.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { paint } from "#tests/helpers/screen-checks.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { alive, eventually } from "#tests/helpers/visit.ts";

const VALID = {
  Name: "Mara",
  Email: "mara@example.com",
  Subject: "A value",
  Message: "Tiger is too low.\nHere is why.",
};
const email = (length: number) => `${"a".repeat(length - "@example.com".length)}@example.com`;

describe("a message that stays in the browser", () => {
  test("the form says up front that nothing is sent, counts characters, and shows each error at its field, the first of which gets the focus; axe finds nothing in them, wide and narrow", async () => {
    const page = await openContact();
    for (const label of Object.keys(VALID))
      expect(await page.getByLabel(label, { exact: true }).count()).toBe(1);
    await page.getByText("What you write stays in your browser").waitFor();
    // An emoji counts as one.
    await page.getByText("0/2000").waitFor();
    await page.getByLabel("Message").fill("Hello🍓!");
    await page.getByText("7/2000").waitFor();

    for (const [label, text, sentence] of [
      ["Name", "", "Name is required"],
      ["Email", "abc", "Invalid email address"],
      ["Subject", "a".repeat(201), "Subject must be at most 200 characters"],
      ["Message", "a".repeat(2001), "Message must be at most 2000 characters"],
    ] as const) {
      await send(page, { ...VALID, [label]: text });
      const field = page.getByLabel(label, { exact: true });
      await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
      expect(await field.getAttribute("aria-invalid")).toBe("true");
      expect(await describedBy(field)).toBe(sentence);
      expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await page.getByText("Message Sent!").count()).toBe(0);
      await field.fill(VALID[label]);
      await expect.poll(() => field.getAttribute("aria-invalid")).toBeNull();
    }

    await send(page, { ...VALID, Email: "abc", Message: " " });
    const [email, message] = [page.getByLabel("Email"), page.getByLabel("Message")];
    await page.getByRole("alert").filter({ hasText: "Message is required" }).waitFor();
    expect(await describedBy(email)).toBe("Invalid email address");
    expect(await describedBy(message)).toBe("Message is required");
    expect(await email.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.getByLabel("Subject").getAttribute("aria-invalid")).toBeNull();
    for (const [width, scheme] of [
      [390, "light"],
      [1280, "dark"],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await paint(page, scheme);
      await expectNoAxeFindings(page);
    }
    await email.fill(VALID.Email);
    await expect.poll(() => email.getAttribute("aria-invalid")).toBeNull();
    expect(await message.getAttribute("aria-invalid")).toBe("true");
  });

  test("the input survives a visit to another page, but not sending, which empties the form while no request leaves the browser", async () => {
    const page = await openContact();
    const typed = () =>
      Promise.all(Object.keys(VALID).map((label) => page.getByLabel(label, { exact: true }).inputValue()));
    const leaveAndReturn = async () => {
      await page.getByRole("contentinfo").getByRole("link", { name: "About Us" }).click();
      await page.getByRole("heading", { level: 1, name: /^About/ }).waitFor();
      await page.getByRole("contentinfo").getByRole("link", { name: "Contact" }).click();
      await page.getByLabel("Subject").waitFor();
    };
    for (const [label, text] of Object.entries(VALID))
      await page.getByLabel(label, { exact: true }).fill(text);
    await leaveAndReturn();
    await expect.poll(typed).toEqual(Object.values(VALID));
    await page.getByText(`${VALID.Message.length}/2000`).waitFor();
    const empty = Object.values(VALID).map(() => "");
    const requests: string[] = [];
    const keep = (request: Request) => requests.push(`${request.resourceType()} ${request.url()}`);
    page.on("request", keep);
    await page.getByRole("button", { name: "Send Message" }).click();
    await page.getByRole("status").filter({ hasText: "Message Sent!" }).waitFor();
    expect(await typed()).toEqual(empty);
    await page.getByText("0/2000").waitFor();
    page.off("request", keep);
    expect(requests.filter((request) => !/^(image|other) /.test(request))).toEqual([]);
    await leaveAndReturn();
    expect(await typed()).toEqual(empty);

    // The longest allowed texts are accepted.
    await send(page, {
      Name: "a".repeat(100),
      Email: email(255),
      Subject: "a".repeat(200),
      Message: "a".repeat(2000),
    });
    await page.getByText("Message Sent!").waitFor();
  });

  test("what a user typed survives a reload, but is not shown to whoever uses the tab next", async () => {
    const page = await visitAs(await signUpPerson(), "/contact");
    const subject = page.getByLabel("Subject");
    const logout = page.getByRole("button", { name: "Logout" });
    await logout.waitFor();
    await subject.fill("A private matter");
    await page.getByLabel("Message").fill("Only for the operator");
    await page.reload();
    await eventually(() => subject.inputValue()).toBe("A private matter");
    await logout.click();
    await page.waitForURL("/");
    await page.goto("/contact");
    await alive(page);
    await subject.fill("Values");
    await page.goto("/contact");
    await eventually(() => subject.inputValue()).toBe("Values");
    expect(await page.getByLabel("Message").inputValue()).toBe("");
  });

  test("nobody can post a message to the server either", async () => {
    const answer = await fetch(`${testSite().address}/contact`, {
      method: "POST",
      body: new URLSearchParams(VALID),
    });
    expect(answer.status).toBe(405);
  });

  test("without JavaScript the button posts nothing", async () => {
    const page = await openPageWithoutJavaScript({
      baseUrl: testSite().address,
      expectedProblems: [/\.js csp$/],
    });
    await page.goto("/contact");
    await page.getByLabel("Name").fill("Mara");
    await page.getByRole("button", { name: "Send Message" }).click();
    await page.getByLabel("Name").press("Enter");
    expect(new URL(page.url()).search).toBe("");
    await eventually(() => page.getByLabel("Name").inputValue()).toBe("Mara");
  });

  test("each question of the FAQ opens by keyboard, and the page lists only channels that exist", async () => {
    const page = await openContact();
    const channels = page.getByRole("region", { name: "How to reach us" }).getByRole("link");
    expect(await channels.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "/chat",
    ]);
    const questions = page.getByRole("region", { name: "Frequently asked questions" }).locator("details");
    expect(await questions.count()).toBeGreaterThan(4);
    for (const question of await questions.all()) {
      expect(await question.locator("div").isVisible()).toBe(false);
      await question.locator("summary").focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => question.locator("div").isVisible()).toBe(true);
    }
  });
});

describe("with CONTACT_DELIVERY=database", () => {
  const dataDir = readyDataDir();
  let server: ServerProcess;
  let database: Database;

  beforeAll(async () => {
    const env = {
      DATA_DIR: dataDir,
      CONTACT_DELIVERY: "database",
      CLIENT_ADDRESS_HEADER: "x-real-ip",
      CONTACT_EMAIL: "crew@values.example",
      SOCIAL_DISCORD_URL: "https://discord.gg/crew",
    };
    server = await startServer({ env });
    const url = readFileSync(join(dataDir, "database-url"), "utf8").trim();
    database = connectDatabase({ url, max: 1 });
  });

  afterAll(async () => {
    await database?.close();
    await server?.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test("a refused message is not stored", async () => {
    const body = new URLSearchParams({ name: "Mara", email: "abc", subject: "A value", message: "Tiger" });
    const answer = await fetch(`${server.address}/contact`, { method: "POST", body });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("Invalid email address");
    for (const type of ["application/json", "multipart/form-data", "multipart/form-data; boundary=x"]) {
      const headers = { "content-type": type };
      const odd = await fetch(`${server.address}/contact`, { method: "POST", body: "{}", headers });
      expect([type, odd.status]).toEqual([type, 400]);
    }
    expect(await stored()).toEqual([]);
  });

  test("the page lists the operator's channels and says up front that messages are stored, one row is stored, and the fourth in an hour is refused", async () => {
    const page = await openContact(server.address, [/429/]);
    const channels = page.getByRole("region", { name: "Other ways to reach us" }).getByRole("link");
    expect(await channels.evaluateAll((links) => links.map((link) => link.getAttribute("href")))).toEqual([
      "mailto:crew@values.example",
      "https://discord.gg/crew",
      "/chat",
    ]);
    await page.getByText("we store your name, email address, subject and message").waitFor();
    await send(page, VALID);
    await page.getByRole("status").filter({ hasText: "Message Sent!" }).waitFor();
    expect(await page.getByLabel("Message").inputValue()).toBe("");
    expect(await stored()).toEqual([
      { name: "Mara", email: VALID.Email, subject: "A value", message: VALID.Message },
    ]);
    for (const count of [2, 3]) {
      await send(page, { ...VALID, Message: `Message ${count}` });
      await expect.poll(async () => (await stored()).length).toBe(count);
      await expect.poll(() => page.getByLabel("Name").inputValue()).toBe("");
    }
    await send(page, { ...VALID, Message: "Message 4" });
    await page.getByRole("alert").filter({ hasText: "Too many messages right now" }).waitFor();
    await eventually(() => page.getByLabel("Message").inputValue()).toBe("Message 4");
    expect(await stored()).toHaveLength(3);
  });

  test("without JavaScript a message is stored too, and refused input stays in the fields with its errors", async () => {
    const page = await openPageWithoutJavaScript({
      baseUrl: server.address,
      expectedProblems: [/\.js csp$/],
    });
    await page.goto("/contact");
    await send(page, { ...VALID, Email: "abc" });
    await page.getByText("Invalid email address").waitFor();
    await eventually(() => page.getByLabel("Name").inputValue()).toBe("Mara");
    await send(page, { ...VALID, Email: "without@example.com" });
    await page.getByText("Message Sent!").waitFor();
    expect((await stored()).some((row) => row.email === "without@example.com")).toBe(true);
  });

  test("one network address sends ten an hour, with or without the form, and blocks nobody else", async () => {
    const anonKey = await readAnonKey(server.address);
    const message = (i: number) => ({
      name: "Max",
      email: `max${i}@example.com`,
      subject: "Hi",
      message: "Hi",
    });
    const from = (address: string) => ({ "x-real-ip": address, "x-client-network": String(Math.random()) });
    const post = (i: number, address: string) =>
      fetch(`${server.address}/contact`, {
        method: "POST",
        headers: from(address),
        body: new URLSearchParams(message(i)),
      });
    const insert = (i: number, address: string) =>
      fetch(`${server.address}/rest/v1/contact_messages`, {
        method: "POST",
        headers: { ...from(address), apikey: anonKey, "content-type": "application/json" },
        body: JSON.stringify(message(i)),
      });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await post(i, "203.0.113.1")).status, (await insert(i + 5, "203.0.113.1")).status);
    }
    expect(statuses.sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(201)]);
    expect((await post(10, "203.0.113.1")).status).toBe(429);
    expect((await insert(11, "203.0.113.1")).status).toBe(429);
    expect((await post(12, "203.0.113.2")).status).toBe(200);
  });

  function stored() {
    return database.query(
      "select name, email, subject, message from public.contact_messages order by created_at",
    );
  }
});

async function openContact(baseUrl = testSite().address, expectedProblems: RegExp[] = []): Promise<Page> {
  const page = await openPage({ baseUrl, expectedProblems });
  await page.goto("/contact");
  await alive(page);
  return page;
}

async function send(page: Page, fields: typeof VALID) {
  for (const [label, text] of Object.entries(fields))
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByRole("button", { name: "Send Message" }).click();
}
