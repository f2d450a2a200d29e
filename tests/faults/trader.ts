import { createHash, randomBytes } from "node:crypto";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { confirmSession } from "#app/features/session/live-session.ts";
import { createSessionFetch } from "#app/features/session/session-fetch.ts";
import { createRoom, type Room } from "#app/routes/chat/room/room.ts";
import { LIMITS } from "#domain/text/limits.ts";
import type { Database } from "#supabase/database.types.ts";
import { browserGlobals, replaceProperties } from "#tests/helpers/browser-globals.ts";
import { type SignedIn, signUp } from "#tests/helpers/sign-up.ts";
import type { Act, ActResult, Journal } from "./journal.ts";
import { BUCKET, type Place } from "./test-bed.ts";

/**
 * A user who is active the whole time: through the official client, and in the chat through the site's own room on top
 * of it.
 */
export type Trader = {
  id: string;
  room: Room;
  /** Opens the chat. */
  enter(): void;
  /** Uses the site until told to stop, and finishes what is in progress. */
  use(): Promise<void>;
  rest(): void;
  leave(): Promise<void>;
};

/** The signed-in account; number 0 is an admin. */
export type Account = Pick<SignedIn, "id" | "username" | "session">;

type Client = SupabaseClient<Database>;
type Answered = { error: { code?: string; message: string } | null; status: number };

const WORDS = "calm brave sunny quick lucky golden silver tiger otter panda".split(" ");
const PAUSE_MS = 60;
/** The highest rate allowed, evenly spaced: a burst would block the rest of the window, also after a fault. */
const SAY_EVERY_MS = (LIMITS.chat.windowSeconds * 1_000) / LIMITS.chat.perWindow + 100;
/** Files are rewritten repeatedly under this many names. */
const NAMES = 4;
/** SQLSTATE for a row that is already stored. */
const STORED_ALREADY = "23505";

/** Installs the browser globals that the chat's room needs, until the returned function is called. */
export const enterBrowser = (): (() => void) => replaceProperties(browserGlobals());

/** A number spelled in words that the chat allows; distinct for each number. */
function inWords(number: number): string {
  const figures = String(number).padStart(5, "0");
  return [...figures].map((figure) => WORDS[Number(figure)]).join(" ");
}

export async function openTrader(
  testBed: Place,
  journal: Journal,
  number: number,
  account?: Account,
): Promise<Trader> {
  const site = { address: testBed.address, databaseUrl: testBed.databaseUrl() };
  // The first user also maintains the values.
  const isEditor = number === 0;
  const { id, username, session } = account ?? (await signUp(site, isEditor ? "admin" : undefined));
  // As pages do: a refused token is refreshed, as when the site's clock was set back behind it.
  const askAgain = oneAtATime(() => confirmSession(client));
  const client: Client = createClient<Database>(testBed.address, await testBed.anonKey(), {
    auth: { storageKey: id, persistSession: false },
    global: { fetch: createSessionFetch({ onRefused: askAgain }) },
  });
  await client.auth.setSession(session);
  const room = createRoom(client, { id, username: () => username });
  let leaveRoom = () => {};
  const acts: ((turn: number) => Promise<void>)[] = [saveTrade, writeFile, removeTrade, readPage];
  const items = isEditor ? await readItems(client) : [];
  if (isEditor) acts.push(publishValue);
  const saved: string[] = [];
  let isResting = false;
  let said = 0;
  let saidAt = 0;
  let turns = 0;

  const follow = (act: Act, of: string, to: string, ask: () => Promise<ActResult>) =>
    journal.follow({ person: id, act, of, to }, ask);

  async function say(): Promise<void> {
    if (Date.now() < saidAt + SAY_EVERY_MS) return;
    saidAt = Date.now();
    const text = `${WORDS[number]} ${inWords(said++)}`;
    await follow("message", text, "", async () => {
      const failure = await room.send(text);
      if (!failure) return { answer: "acknowledged" };
      // The room reports that the message is waiting and keeps retrying; the user types nothing meanwhile.
      const waits = () => room.current().outgoing.some(({ message }) => message === text);
      while (waits() && !isResting) await sleep(PAUSE_MS);
      return waits() ? { answer: "unknown", why: failure.sentence } : { answer: "acknowledged" };
    });
  }

  async function saveTrade(): Promise<void> {
    const trade = crypto.randomUUID();
    const row = { id: trade, your_items: [{ name: "Kitsune" }], their_items: [{ name: "Kitsune" }] };
    const save = () =>
      follow("trade", trade, "", async () => tell(await client.from("trade_history").insert(row)));
    let answer = await save();
    while (answer === "unknown" && !isResting) {
      await sleep(PAUSE_MS);
      answer = await save();
    }
    if (answer === "acknowledged") saved.push(trade);
  }

  async function removeTrade(turn: number): Promise<void> {
    const trade = turn % 3 === 0 ? saved.shift() : undefined;
    if (trade)
      await follow("removal", trade, "", async () =>
        tell(await client.from("trade_history").delete().eq("id", trade)),
      );
  }

  async function publishValue(turn: number): Promise<void> {
    const item = items[turn % items.length] as string;
    const now = await client.from("items").select("current_value").eq("id", item).single();
    if (now.error) return;
    const value = String(1_000_000_000 + turn);
    const cell = { item_id: item, field: "current_value", value, was: now.data.current_value };
    await follow("value", item, value, async () => {
      const done = await client.rpc("publish_values", {
        cells: [cell],
        reason_code: "trades_seen",
        note: "Seen in ten trades",
      });
      if (done.error) return tell(done);
      const [{ outcome, why } = { outcome: "nothing", why: null }] = done.data;
      return outcome === "published"
        ? { answer: "acknowledged" }
        : { answer: "refused", why: `${outcome} ${why}` };
    });
  }

  async function writeFile(turn: number): Promise<void> {
    const name = `${id}/${turn % NAMES}`;
    const content = randomBytes(10_000 + (turn % 7) * 40_000);
    await follow("file", name, digest(content), async () => {
      const { error } = await client.storage.from(BUCKET).upload(name, content, { upsert: true });
      return tell({
        error,
        status: Number((error as { status?: number } | null)?.status ?? (error ? 0 : 200)),
      });
    });
  }

  async function readPage(): Promise<void> {
    await follow("page", "/values", "", async () => {
      try {
        const status = await readUncached(`${testBed.address}/values`);
        return status === 200 ? { answer: "acknowledged" } : { answer: "unknown", why: String(status) };
      } catch (error) {
        return { answer: "unknown", why: String(error) };
      }
    });
  }

  async function keep(doing: () => Promise<void>): Promise<void> {
    while (!isResting) {
      await doing();
      await sleep(PAUSE_MS);
    }
  }

  return {
    id,
    room,
    enter() {
      leaveRoom = room.enter();
    },
    async use() {
      isResting = false;
      await Promise.all([
        keep(say),
        keep(async () => acts[turns % acts.length]?.(Math.floor(turns++ / acts.length))),
      ]);
    },
    rest() {
      isResting = true;
    },
    async leave() {
      isResting = true;
      leaveRoom();
      await client.removeAllChannels();
    },
  };
}

/**
 * Uses a new connection, so that a reset is the site's doing. A connection idle for a minute may be closed just as it
 * is reused: browsers then retry (RFC 9112, 9.3.1), Node's own client does not.
 */
function readUncached(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent: false }, (answer) => {
      answer.once("error", reject);
      answer.once("end", () => resolve(answer.statusCode ?? 0)).resume();
    });
    asking.once("error", reject);
    asking.end();
  });
}

/** Calls during a run are dropped; the run in progress covers them. */
function oneAtATime(work: () => Promise<unknown>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void work().finally(() => {
      isUnderWay = false;
    });
  };
}

async function readItems(client: Client): Promise<string[]> {
  const { data } = await client.from("items").select("id").order("slug").limit(3).throwOnError();
  return data.map(({ id }) => id);
}

function tell({ error, status }: Answered): ActResult {
  if (!error || error.code === STORED_ALREADY) return { answer: "acknowledged" };
  const why = `${status} ${error.code ?? ""} ${error.message}`;
  return { answer: status >= 400 && status < 500 ? "refused" : "unknown", why };
}

export function digest(content: Uint8Array): string {
  return createHash("md5").update(content).digest("hex");
}
