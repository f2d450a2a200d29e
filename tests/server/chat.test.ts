import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { readyDataDir, startReadyPostgres } from "#tests/helpers/ready-data.ts";
import { type ServerProcess, type ServerProcessOptions, startServer } from "#tests/helpers/server-process.ts";
import { type SignedIn, signUpPerson } from "#tests/helpers/signed-in.ts";
import {
  enterChat,
  expectCount,
  expectLive,
  runSql,
  say,
  textsOf,
  unique,
  write,
} from "../journeys/chat-page.ts";

/** Console errors of a browser whose server is down. */
const GONE = [/request failed/, /WebSocket connection/, /answer 5\d\d/, /Failed to fetch/];

function makeFolder(folder = mkdtempSync(join(tmpdir(), "fruit-values-chat-"))): string {
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a server that is stopped when the test ends. */
async function start(env: NonNullable<ServerProcessOptions["env"]>): Promise<ServerProcess> {
  const server = await startServer({ env });
  onTestFinished(async () => void (await server.stop()));
  return server;
}

const enter = (person: SignedIn, { address }: ServerProcess) =>
  enterChat({ person, address, expectedProblems: GONE }).then(({ page }) => page);

const WORDS = "calm brave sunny quick lucky golden silver tiger otter panda".split(" ");

/** Keeps sending messages until told to stop; returns the acknowledged ones in order. */
async function keepSending(person: SignedIn, name: string, isOver: () => boolean): Promise<string[]> {
  const acknowledged: string[] = [];
  for (let count = 0; !isOver(); count += 1) {
    const message = `${name} ${WORDS[count % 10]} ${WORDS[Math.floor(count / 10) % 10]}`;
    const { error } = await person.client.from("chat_messages").insert({ message });
    if (!error) acknowledged.push(message);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return acknowledged;
}

test("a server killed mid-conversation loses and duplicates no messages, and both clients reconnect on their own", async () => {
  const dataDir = makeFolder(readyDataDir());
  const first = await start({ DATA_DIR: dataDir });
  const { port } = new URL(first.address);
  const databaseUrl = () => readFileSync(join(dataDir, "database-url"), "utf8").trim();
  const site = { address: first.address, databaseUrl: databaseUrl() };
  await makeNewUsersAdults(site.databaseUrl);
  // A separate writer for each life of the server, so that none exceeds the rate limit.
  const [ana, ben, before, after] = await Promise.all([1, 2, 3, 4].map(() => signUpPerson(site)));
  const pages = await Promise.all([enter(ana as SignedIn, first), enter(ben as SignedIn, first)]);
  const [anas, bens] = pages as [Page, Page];
  for (const page of pages) await expectLive(page);

  let isOver = false;
  const talk = keepSending(before as SignedIn, unique("before"), () => isOver);
  const typed = unique("typed by me");
  await write(anas, typed);
  await expectCount(bens, typed, 1);
  await first.stop("SIGKILL");
  for (const page of pages) await page.getByText("Reconnecting…").waitFor();
  const unsent = unique("while it was down");
  await write(anas, unsent);
  isOver = true;

  const second = await start({ DATA_DIR: dataDir, PORT: port });
  expect(second.address).toBe(first.address);
  // Sent before anyone has reconnected: only the room itself can deliver it.
  const meanwhile = unique("meanwhile");
  await say(after as SignedIn, meanwhile);
  for (const page of pages) {
    await expectLive(page);
    await expectCount(page, meanwhile, 1);
  }
  // Sent automatically once the connection is back.
  await expectCount(bens, unsent, 1);
  const live = unique("back again");
  await write(bens, live);
  await expectCount(anas, live, 1);

  const stored = await runSql("select message from chat_messages order by created_at, id", databaseUrl());
  const texts = stored.map((each) => (each as { message: string }).message);
  const acknowledged = await talk;
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(texts).toEqual(expect.arrayContaining([...acknowledged, typed, unsent, meanwhile, live]));
  expect(new Set(texts).size).toBe(texts.length);
  for (const page of pages) await expect.poll(() => textsOf(page)).toEqual(texts);
});

test("users on different processes of one database chat and see each other's deletions", async () => {
  const postgres = await startReadyPostgres();
  onTestFinished(() => postgres.stop());
  const env = { DATABASE_URL: postgres.url, JWT_SECRET: "s".repeat(40) };
  const one = await start({ ...env, DATA_DIR: makeFolder() });
  const two = await start({ ...env, DATA_DIR: makeFolder() });
  await makeNewUsersAdults(postgres.url);
  const ana = await signUpPerson({ address: one.address, databaseUrl: postgres.url });
  const ben = await signUpPerson({ address: two.address, databaseUrl: postgres.url });
  const [anas, bens] = await Promise.all([enter(ana, one), enter(ben, two)]);
  for (const page of [anas, bens]) await expectLive(page);
  const [hello, answer] = [unique("hello"), unique("answer")];
  await write(anas, hello);
  await expectCount(bens, hello, 1);
  await write(bens, answer);
  await expectCount(anas, answer, 1);
  expect(await textsOf(anas)).toEqual(await textsOf(bens));
  await ana.client.from("chat_messages").delete().eq("message", hello);
  await expectCount(bens, hello, 0);
  await anas.getByRole("button", { name: "2 online" }).waitFor();
});
