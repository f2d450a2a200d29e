import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { runOn } from "#tests/helpers/run-on.ts";
import { type SignedIn, signUpPerson, visitAs } from "#tests/helpers/signed-in.ts";
import { testSite } from "#tests/helpers/site.ts";
import { eventually } from "#tests/helpers/visit.ts";

type EnterOptions = Parameters<typeof visitAs>[2] & { person?: SignedIn };

/** A new user in the room. */
export async function enterChat({ person, ...options }: EnterOptions = {}) {
  const entered = person ?? (await signUpPerson());
  const page = await visitAs(entered, "/chat", options);
  await page.getByLabel("Message", { exact: true }).waitFor();
  return { page, person: entered };
}

/** A new user in the room who gets only the newest few messages: a hundred are slow to draw, and slower for axe. */
export function enterQuietChat(options: EnterOptions = {}) {
  const prepare = async (page: Page) => {
    await page.route("**/rest/v1/shown_chat_messages?*", (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/limit=\d+/, "limit=12"),
      }),
    );
    await options.prepare?.(page);
  };
  return enterChat({ ...options, prepare });
}

/** A unique text; letters only, since consecutive digits would read as a phone number. */
export function unique(text: string): string {
  const words =
    "calm brave sunny quick lucky golden silver tiger otter panda falcon island harbor comet lantern".split(
      " ",
    );
  const picked = [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => words[byte % words.length]);
  return `${text} ${picked.join(" ")}`;
}

/** Waits until the room receives live updates. */
export async function expectLive(page: Page): Promise<void> {
  await page.getByRole("status").getByText("Live", { exact: true }).waitFor();
}

/** Types a message and presses Enter. */
export async function write(page: Page, text: string): Promise<void> {
  const field = page.getByLabel("Message", { exact: true });
  await field.fill(text);
  await field.press("Enter");
}

/** A message's row, found by its text. */
export function row(page: Page, text: string): Locator {
  return page.locator("[data-row]").filter({ has: page.getByText(text, { exact: true }) });
}

/** Waits until a message is shown this many times. */
export function expectCount(page: Page, text: string, count: number) {
  return eventually(() => row(page, text).count()).toBe(count);
}

/** The texts of all messages, from top to bottom. */
export function textsOf(page: Page): Promise<string[]> {
  return page.locator(".chat-bubble > .chat-text").allInnerTexts();
}

/** Sends a message as a user, without a browser. */
export async function say(person: SignedIn, message: string): Promise<string> {
  const { data, error } = await person.client.from("chat_messages").insert({ message }).select("id").single();
  expect(error).toBeNull();
  return data?.id;
}

/** Inserts messages as the owner, who has no rate limit; the last one is the newest. */
export async function fillChat(person: SignedIn, count: number, name: string): Promise<void> {
  await runSql(
    // Bypasses the text filter, which would hide numbers that are no values.
    `set session_replication_role = replica;
     insert into chat_messages (user_id, username, message, created_at)
     select '${person.id}', '${person.username}', '${name} ' || n, clock_timestamp() - (${count} - n) * interval '1 millisecond'
     from generate_series(1, ${count}) as n`,
  );
}

export const runSql = (sql: string, databaseUrl = testSite().databaseUrl): Promise<unknown[]> =>
  runOn(databaseUrl, sql);
