import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { signUpPerson } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { enterQuietChat, expectCount, expectLive, row, runSql, say, unique, write } from "./chat-page.ts";

/** A proxy between browser and site that can go silent: no socket is closed, but no data arrives any more. */
type Line = { address: string; silence(): void; restore(): void; replace(): void };

async function openLine(): Promise<Line> {
  const site = new URL(testSite().address);
  const ends = new Set<[Socket, Socket]>();
  let isSilent = false;
  const join = ([near, far]: [Socket, Socket]) => void near.pipe(far).pipe(near);
  const server = createServer((near) => {
    const pair: [Socket, Socket] = [near, connect(Number(site.port), site.hostname)];
    ends.add(pair);
    for (const socket of pair) {
      socket.on("error", () => undefined).on("close", () => pair.forEach((end) => void end.destroy()));
    }
    if (!isSilent) join(pair);
  });
  await once(server.listen(0, site.hostname), "listening");
  onTestFinished(() => {
    server.close();
    for (const pair of ends) for (const end of pair) end.destroy();
  });
  return {
    address: `http://${site.hostname}:${(server.address() as AddressInfo).port}`,
    silence() {
      isSilent = true;
      for (const [near, far] of ends) for (const end of [near.unpipe(far), far.unpipe(near)]) end.pause();
    },
    /** Resumes all connections: delayed data arrives. */
    restore() {
      isSilent = false;
      ends.forEach(join);
    },
    /** New connections work; old ones with undelivered data stay dead. */
    replace() {
      isSilent = false;
      for (const [near] of ends) if (near.readableLength === 0) near.destroy();
    },
  };
}

/** A user in the room through such a proxy, in a page with a paused clock. */
async function enterOverLine() {
  const line = await openLine();
  const { page } = await enterQuietChat({
    address: line.address,
    prepare: (page) => page.clock.install(),
  });
  await expectLive(page);
  const sockets: unknown[] = [];
  page.on("websocket", (socket) => sockets.push(socket));
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await expectLive(page);
  return { line, page, sockets };
}

/** Silences the proxy and expects the page to notice within three seconds of its own clock. */
async function expectLost(page: Page, line: Line) {
  line.silence();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await page.clock.runFor(3_000);
  await page.getByRole("status").getByText("Reconnecting…").waitFor();
}

const countStored = async (text: string) =>
  (await runSql(`select from chat_messages where message = '${text}'`)).length;

test("a connection that goes silent is no longer shown as live after three seconds, and resumes when it is back", async () => {
  const { line, page, sockets } = await enterOverLine();
  await expectLost(page, line);
  const [text, theirs] = [unique("held up"), unique("meanwhile")];
  await write(page, text);
  await say(await signUpPerson(), theirs);
  line.restore();
  await expectLive(page);
  for (const each of [text, theirs]) await expectCount(page, each, 1);
  await row(page, text).locator("time").waitFor();
  expect(await countStored(text)).toBe(1);
  expect(sockets).toEqual([]);
});

test("a connection that stays dead is replaced, and the pending message is sent once, automatically", async () => {
  const { line, page, sockets } = await enterOverLine();
  await expectLost(page, line);
  const texts = [unique("hangs"), unique("waits")];
  for (const text of texts) await write(page, text);
  line.replace();
  await eventually(async () => {
    await page.clock.runFor(1_000);
    return page.getByRole("status").getByText("Live", { exact: true }).count();
  }).toBe(1);
  expect(sockets).not.toEqual([]);
  // Only now does the page know that the old connection brings no answer.
  await page.clock.runFor(20_000);
  for (const text of texts) {
    await row(page, text).locator("time").waitFor();
    expect(await countStored(text)).toBe(1);
  }
});
