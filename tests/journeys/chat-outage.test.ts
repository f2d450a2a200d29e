import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { freePort } from "#tests/helpers/free-port.ts";
import { readyDataDir } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import { signUpAdmin, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import {
  enterChat,
  enterQuietChat,
  expectCount,
  expectLive,
  row,
  runSql,
  say,
  unique,
  write,
} from "./chat-page.ts";

const PROBLEMS = [
  /POST/,
  /Failed to (?:fetch|load)/,
  /answer 503/,
  /ERR_/,
  /WebSocket/,
  /token/,
  /GET/,
  /HEAD/,
];
const MESSAGES = "**/rest/v1/chat_messages**";

type Outage = {
  begin(page: Page): Promise<unknown>;
  end(page: Page): Promise<unknown>;
  /** What a message that waits says. */
  told?: string;
};

const down = {
  status: 503,
  headers: { "retry-after": "1" },
  json: { code: "PGRST001", message: "The database can't be reached", details: null, hint: null },
};

/** Ways in which a valid message can fail to arrive. */
const outages: Record<string, Outage> = {
  "a connection that is cut while a message is on its way": {
    begin: (page) => page.route(MESSAGES, (route) => route.abort("connectionreset")),
    end: (page) => page.unroute(MESSAGES),
  },
  "an answer that is lost though the message was stored": {
    begin: (page) =>
      page.route(MESSAGES, async (route) => {
        await route.fetch();
        // When the outage ends, the browser continues held requests by itself.
        await route.abort("connectionreset").catch(() => undefined);
      }),
    end: (page) => page.unroute(MESSAGES),
  },
  "a service that is down": {
    begin: (page) => page.route(MESSAGES, (route) => route.fulfill(down)),
    end: (page) => page.unroute(MESSAGES),
  },
  "a browser that is offline": {
    async begin(page) {
      await page.context().setOffline(true);
      await page.getByRole("status").getByText("Reconnecting…").waitFor();
    },
    end: (page) => page.context().setOffline(false),
    told: "You’re offline. This message will be sent when you’re back.",
  },
  "a session whose token ends meanwhile": {
    async begin(page) {
      await page.route("**/auth/v1/token**", (route) => route.abort("connectionreset"));
      await page.evaluate(() => {
        const key = Object.keys(localStorage).find((name) => name.endsWith("-auth-token")) ?? "";
        const session = JSON.parse(localStorage.getItem(key) ?? "{}");
        localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }));
      });
    },
    end: (page) => page.unroute("**/auth/v1/token**"),
  },
};

test("whatever keeps them from arriving, typed messages are sent automatically, once, in order", async () => {
  const { page, person } = await enterQuietChat({
    expectedProblems: PROBLEMS,
    prepare: (page) => page.clock.install(),
  });
  const written: string[] = [];
  for (const [what, { begin, end, told }] of Object.entries(outages)) {
    await expectLive(page);
    await begin(page);
    const texts = [unique("first"), unique("second")];
    for (const text of texts) await write(page, text);
    await expectCount(page, texts[1] ?? "", 1);
    if (told)
      await row(page, texts[1] ?? "")
        .getByText(told)
        .waitFor();
    await end(page);
    for (const text of texts) await row(page, text).locator("time").waitFor();
    const stored = await runSql(
      `select message from chat_messages where user_id = '${person.id}' order by created_at`,
    );
    written.push(...texts);
    expect(stored, what).toEqual(written.map((message) => ({ message })));
    for (const text of texts) await expectCount(page, text, 1);
    // As many as may be sent in ten seconds have been sent soon; then the next would wait.
    await runSql(`delete from private.paces where user_id = '${person.id}'`);
    await page.clock.fastForward(11_000);
  }
});

let server: ServerProcess;
let env: Record<string, string>;

beforeAll(async () => {
  const dataDir = readyDataDir();
  env = { DATA_DIR: dataDir, PORT: String(await freePort()), GOTRUE_RATE_LIMIT_SIGN_UPS: "1000" };
  server = await startServer({ env });
  await makeNewUsersAdults(databaseUrl());
});
afterAll(async () => {
  await server.stop();
  rmSync(env.DATA_DIR ?? "", { recursive: true, force: true });
});

const databaseUrl = () => readFileSync(join(env.DATA_DIR ?? "", "database-url"), "utf8").trim();

test("a server that is killed and comes back: no message sent meanwhile is missed, no input is lost", async () => {
  const site = { address: server.address, databaseUrl: databaseUrl() };
  const person = await signUpPerson(site);
  const other = await signUpPerson(site);
  const { page } = await enterChat({ person, address: site.address, expectedProblems: PROBLEMS });
  await expectLive(page);
  const admin = await visitAs(await signUpAdmin(site), "/admin", {
    address: site.address,
    expectedProblems: PROBLEMS,
  });
  await admin.getByText("Kitsune", { exact: true }).first().waitFor();
  await server.stop("SIGKILL");
  const [typed, theirs] = [unique("typed"), unique("theirs")];
  await write(page, typed);
  await row(page, typed).getByText("This message").waitFor();
  server = await startServer({ env });
  await say(other, theirs);
  await runSql("update items set name = 'Kitsune Anew' where name = 'Kitsune'", databaseUrl());
  await expectCount(page, theirs, 1);
  await row(page, typed).locator("time").waitFor();
  await admin.getByText("Kitsune Anew", { exact: true }).first().waitFor();
  await expectCount(page, typed, 1);
});
