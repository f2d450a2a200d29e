import { ChatDatabase } from "./chat-database.ts";
import { ChatServer } from "./chat-server.ts";
import { ChatTab, FAIR, type Weather } from "./chat-tab.ts";
import { type Outline, tellStory } from "./tell-story.ts";
import type { Actor, World } from "./world.ts";

const PEOPLE = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`);
const ROUGH: Weather = { dropped: 0.15, doubled: 0.15, late: 0.1 };
const STORM = 40_000;
/** Longer than any wait: the outbox's longest pause, a lost socket, a late request. */
const CALM = 120_000;

/** Each message is shown once, in order, to those it is for; and presence is complete. */
export function simulateChat(seed: number): Promise<Outline> {
  return tellStory(seed, (world) => new ChatStory(world));
}

type SentMessage = { person: string; text: string };

class ChatStory {
  readonly world: World;
  readonly database: ChatDatabase;
  servers: ChatServer[];
  tabs: ChatTab[];
  readonly messages: SentMessage[] = [];
  /** Texts that the writer's page no longer shows as unsent, and for which no error was reported. */
  readonly acknowledged: SentMessage[] = [];
  readonly deleted = new Set<string>();
  faults = 0;
  get said(): number {
    return this.messages.length;
  }
  #weather = FAIR;
  #names = 0;

  constructor(world: World) {
    this.world = world;
    this.database = new ChatDatabase(world, world.pick(PEOPLE));
    this.servers = [1, 2].map(() => this.#startServer());
    this.tabs = PEOPLE.map((person) => this.#openTab(person));
  }

  async tell(): Promise<void> {
    const { world } = this;
    const look = () => this.#look();
    await world.run(world.between(100, 5_000), look);
    this.#weather = ROUGH;
    for (const end = world.now + STORM; world.now < end; ) {
      await world.run(world.between(50, 2_500), look);
      if (world.chance(0.5)) await this.#speak();
      else this.#break();
    }
    this.#weather = FAIR;
    world.isCalm = true;
    for (const { actor } of [...this.servers, ...this.tabs]) actor.skew = 0;
    await world.run(CALM, look);
    this.#compare();
  }

  #startServer(): ChatServer {
    return new ChatServer(this.world, this.database, `server ${++this.#names}`);
  }

  #openTab(person: string): ChatTab {
    return new ChatTab(
      {
        world: this.world,
        database: this.database,
        weather: () => this.#weather,
        nextServer: () => this.world.pick(this.servers),
      },
      person,
      `tab ${++this.#names}`,
    );
  }

  async #speak(): Promise<void> {
    const { world, database } = this;
    const { actor, room, person } = world.pick(this.tabs);
    if (!room || actor.frozenUntil > world.now) return;
    const own = database.messages.filter((each) => each.user_id === person);
    if (own.length > 3 && world.chance(0.1)) {
      const { id, message } = world.pick(own);
      this.deleted.add(message);
      return void (await world.as(actor, () => void room.remove(id)));
    }
    const said = { person, text: `m${this.messages.length}` };
    this.messages.push(said);
    world.note(`said ${said.text}`);
    await world.as(actor, () => {
      void room.send(said.text).then(() => {
        if (!room.current().outgoing.some(({ message }) => message === said.text))
          this.acknowledged.push(said);
      });
    });
  }

  /** One of many faults; the seed decides their sequence. */
  #break(): void {
    const { world, database } = this;
    this.faults += 1;
    const server = world.pick(this.servers);
    const tab = world.pick(this.tabs);
    const fault = world.pick([
      () => this.#killServer(server),
      () => this.#reload(tab),
      () => this.#goAway(tab),
      () => this.#comeBack(),
      () => this.#cut(tab, false),
      () => this.#cut(tab, true),
      () => freeze(world, tab.actor),
      () => freeze(world, server.actor),
      () => freeze(world, database.actor),
      () => database.restart(world.between(50, 6_000)),
      () => database.breakFeed(server.actor, world.between(50, 6_000)),
      () => database.breakNotifications(server.actor, world.between(50, 6_000)),
      () => skew(world, tab.actor),
      () => skew(world, server.actor),
    ]);
    fault();
  }

  #killServer(server: ChatServer): void {
    this.world.note("kill a server");
    server.actor.isAlive = false;
    for (const link of server.links) link.cut(false);
    this.servers = this.servers.map((each) => (each === server ? this.#startServer() : each));
  }

  /** The tab dies without cleanup; the next one finds what it stored. */
  #reload(tab: ChatTab): void {
    this.world.note("reload a tab");
    tab.actor.isAlive = false;
    for (const link of tab.links) link.cut(false);
    this.tabs = this.tabs.map((each) => (each === tab ? this.#openTab(tab.person) : each));
  }

  /** A tab is closed or navigates away; at least one stays. */
  #goAway(tab: ChatTab): void {
    if (this.tabs.length === 1 || !tab.room) return;
    this.world.note("a tab goes");
    this.tabs = this.tabs.filter((each) => each !== tab);
    if (this.world.chance(0.5)) return void this.world.schedule(tab.actor, 1, "leave", tab.leave);
    tab.actor.isAlive = false;
    for (const link of tab.links) link.cut(this.world.chance(0.3));
  }

  #comeBack(): void {
    const away = PEOPLE.filter((each) => !this.tabs.some(({ person }) => person === each));
    if (away.length > 0) this.tabs.push(this.#openTab(this.world.pick(away)));
  }

  #cut(tab: ChatTab, isSilent: boolean): void {
    this.world.note(`cut ${isSilent}`);
    for (const link of tab.links) link.cut(isSilent);
  }

  /** Holds at any moment: each message once, and nothing that a user may not see. */
  #look(): void {
    const { hidden } = this.database;
    for (const { room, person } of this.tabs) {
      if (!room) continue;
      const { messages, outgoing } = room.current();
      const ids = [...messages, ...outgoing].map(({ id }) => id);
      if (new Set(ids).size < ids.length) throw new Error(`${person} is shown a message twice`);
      if (messages.some(({ user_id }) => user_id === hidden && user_id !== person))
        throw new Error(`${person} is shown what is hidden`);
    }
  }

  /** Once all is calm everyone sees the same messages, and those are what was written. */
  #compare(): void {
    const { database, messages: said, deleted, tabs } = this;
    const stored = database.messages.map(({ message }) => message);
    const here = tabs.map(({ person }) => person).toSorted();
    equal("stored once", stored.length, new Set(stored).size);
    // Messages waiting in a closed tab wait for that user's next tab.
    const unsent = said.filter(({ person, text }) => here.includes(person) && !has(stored, text));
    equal("all of those who are there is stored", withoutAll(unsent, deleted), []);
    const lost = this.acknowledged.filter(({ text }) => !has(stored, text));
    equal("nothing acknowledged is lost", withoutAll(lost, deleted), []);
    for (const person of PEOPLE) {
      const own = database.messages.filter((each) => each.user_id === person).map(({ message }) => message);
      const written = said.filter((each) => each.person === person && has(own, each.text));
      equal("in the order of writing", own, texts(written));
    }
    for (const tab of tabs) this.#compareTab(tab, here);
  }

  #compareTab({ room, person }: ChatTab, here: string[]): void {
    const view = room.current();
    const shown = (list: readonly { message: string }[]) => list.map(({ message }) => message);
    equal("connected", view.connection, "connected");
    equal("nothing waits", view.outgoing, []);
    equal(`what ${person} sees`, shown(view.messages), shown(this.database.seenBy(person)));
    equal(`who is here for ${person}`, view.here.toSorted(), here);
  }
}

const has = (list: string[], text: string) => list.includes(text);
const withoutAll = (said: SentMessage[], texts: Set<string>) => said.filter(({ text }) => !texts.has(text));
const texts = (said: SentMessage[]) => said.map(({ text }) => text);

function equal(what: string, found: unknown, expected: unknown): void {
  const [a, b] = [found, expected].map((each) => JSON.stringify(each));
  if (a !== b) throw new Error(`${what}: ${a} is not ${b}`);
}

function freeze(world: World, actor: Actor): void {
  world.note("freeze");
  actor.frozenUntil = Math.max(actor.frozenUntil, world.now + world.between(200, 9_000));
}

/** Makes a clock jump. */
function skew(world: World, actor: Actor): void {
  world.note("skew");
  actor.skew = world.between(-20_000, 20_000);
}
