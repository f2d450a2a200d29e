import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { signUpPerson } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually } from "#tests/helpers/visit.ts";
import { enterChat, expectCount, expectLive, row, runSql, say, unique, write } from "./chat-page.ts";

/** The way from the browser to the site, which can die without a word: nothing is closed, nothing arrives any more. */
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
    /** As if nothing had been: what was held up arrives. */
    restore() {
      isSilent = false;
      ends.forEach(join);
    },
    /** What is connected anew gets through; old connections that something hangs in stay dead. */
    replace() {
      isSilent = false;
      for (const [near] of ends) if (near.readableLength === 0) near.destroy();
    },
  };
}

/** A person in the room over such a line, in a page whose clock stands still. */
async function enterOverLine() {
  const line = await openLine();
  const { page, person } = await enterChat({ address: line.address, expectedProblems: [/TimeoutError/] });
  await page.clock.install();
  // Patience with an answer is not by the page's clock: here it ends when the test says so.
  await page.addInitScript(() => {
    const waiting: AbortController[] = [];
    const giveUp = () => {
      for (const each of waiting.splice(0)) each.abort(new DOMException("signal timed out", "TimeoutError"));
    };
    AbortSignal.timeout = () => {
      const controller = new AbortController();
      waiting.push(controller);
      return controller.signal;
    };
    Object.assign(globalThis, { giveUp });
  });
  await page.reload();
  await expectLive(page);
  const sockets: unknown[] = [];
  page.on("websocket", (socket) => sockets.push(socket));
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await expectLive(page);
  return { line, page, person, sockets };
}

/** Three seconds of the page's clock after the line died, which it learns from nobody. */
async function expectLost(page: Page, line: Line) {
  line.silence();
  expect(await page.evaluate(() => navigator.onLine)).toBe(true);
  await page.clock.runFor(3_000);
  await page.getByRole("status").getByText("Reconnecting…").waitFor();
}

const countStored = async (text: string) =>
  (await runSql(`select from chat_messages where message = '${text}'`)).length;

test("a line that dies without a word is not called live within three seconds, and goes on when it is back", async () => {
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

test("a line that stays dead is replaced, and what hung in it is sent once, by itself", async () => {
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
  // Only now is it known that no answer comes by the old line.
  await page.evaluate(() => Reflect.get(globalThis, "giveUp")());
  for (const text of texts) {
    await row(page, text).locator("time").waitFor();
    expect(await countStored(text)).toBe(1);
  }
});
