import type { Backend } from "#backend/backend.ts";
import { type ProcessGroup, SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import { watchShownTables } from "#server/connection/shown-tables.ts";
import { createPageCache, type PageCache, type Rendered } from "#server/pages/page-cache.ts";
import { tellStory } from "./tell-story.ts";
import { Actor, type World } from "./world.ts";

const KEY = "/values";
const STORM = 30_000;
/** A page that could not be rendered is shown stale, for a second at a time; its process may have been frozen. */
const STALE = 9_000;
const GIVEN_UP = 2_000;

/** After changing a value, a client sees it on the next page from any process; in the end all show the last value. */
export const simulatePages = (seed: number) => tellStory(seed, (world) => new PagesStory(world));

type Process = {
  actor: Actor;
  cache: PageCache;
  handler: ReturnType<typeof watchShownTables>["handler"];
  change(): void;
  gap(): void;
  told(table: string): void;
  isFollowing: boolean;
  lastTold: number;
  /** The value that any page requested from now on must show. */
  owes: number;
};

class PagesStory {
  readonly world: World;
  readonly actor = new Actor("database");
  said = 0;
  faults = 0;
  #value = 0;
  #isUp = true;
  #upSince = 0;
  #fault: string | null = null;
  #processes: Process[];
  #names = 0;

  constructor(world: World) {
    this.world = world;
    this.#processes = [1, 2, 3].map(() => this.#start());
  }

  async tell(): Promise<void> {
    const { world } = this;
    const look = () => {
      if (this.#fault) throw new Error(this.#fault);
    };
    for (const end = world.now + STORM; world.now < end; ) {
      await world.run(world.between(5, 300), look);
      if (world.chance(0.6)) await this.#visit(world.pick(this.#processes));
      else if (world.chance(0.4)) await this.#edit(world.pick(this.#processes));
      else world.pick([() => this.#commit(), () => this.#break()])();
    }
    await world.run(20_000, look);
    for (const each of this.#processes) each.owes = this.#value;
    for (const each of this.#processes) await this.#visit(each);
    await world.run(5_000, look);
  }

  #start(): Process {
    const actor = new Actor(`process ${++this.#names}`);
    const heard: { change(given: object): void; gap(): void; told(about: string): unknown } = {
      change: () => {},
      gap: () => {},
      told: () => {},
    };
    const backend = {
      onChange(listener: typeof heard.change) {
        heard.change = listener;
      },
      onGap(listener: typeof heard.gap) {
        heard.gap = listener;
      },
      handle: () => this.#write(process),
    };
    const processGroup: ProcessGroup = {
      ...SINGLE_PROCESS,
      broadcast: () => this.#broadcast(process),
      onBroadcast(_, act) {
        heard.told = act;
      },
    };
    const watch = watchShownTables(backend as unknown as Backend, processGroup);
    const cache = createPageCache({ render: () => this.#render(actor) });
    cache.setLive(true);
    watch.onChange(cache.invalidate);
    const process: Process = {
      ...{ actor, cache, handler: watch.handler, isFollowing: true, lastTold: 0, owes: this.#value },
      change: () => heard.change({ table: "items" }),
      gap: () => heard.gap(),
      told: (table) => void heard.told(table),
    };
    return process;
  }

  /** Reads the value at one moment and shows it at a later one. */
  #render(actor: Actor): Promise<Rendered> {
    const { world } = this;
    return new Promise((resolve) => {
      world.schedule(this.actor, world.delay(), "read", () => {
        const body = Buffer.from(String(this.#value));
        const made = this.#isUp
          ? { kind: "content", content: { identity: body } }
          : { kind: "once", status: 500, headers: [], body };
        world.schedule(actor, world.delay(), "rendered", () => resolve(made as Rendered));
      });
    });
  }

  async #visit({ actor, cache, owes }: Process): Promise<void> {
    const { world } = this;
    if (actor.frozenUntil > world.now) return;
    const isCalm = this.#isUp && this.#upSince + STALE < world.now;
    const judge = (shown: number) => {
      world.note(`shown ${shown}`);
      if (isCalm && shown < owes) this.#fault ??= `${actor.name} shows ${shown} and not ${owes}`;
    };
    this.said += 1;
    await world.as(actor, () => {
      const kept = cache.find(KEY);
      if (kept) return judge(Number(String(kept.identity)));
      void cache.get(KEY, "somebody").then((made) => {
        // While the database is down, the previous value is shown.
        if (made.kind === "content" && this.#isUp && this.#upSince + STALE < world.now)
          judge(Number(String(made.content.identity)));
      });
    });
  }

  /** An edit through the site's own endpoint. */
  async #edit(process: Process): Promise<void> {
    const { world } = this;
    if (process.actor.frozenUntil > world.now) return;
    await world.as(process.actor, () => {
      let written = 0;
      const request = { method: "PATCH", url: "/rest/v1/items?id=eq.1", headers: {}, body: null };
      void process.handler.handle(request as never).then((response) => {
        if (response.status >= 300) return;
        written = Number(response.body);
        // A frozen process is no longer waited for; it learns of the change from the feed.
        for (const each of this.#processes)
          if (each.actor.frozenUntil + GIVEN_UP < world.now) each.owes = Math.max(each.owes, written);
      });
    });
  }

  #write(process: Process): Promise<{ status: number; headers: object; body: string }> {
    const { world } = this;
    return new Promise((resolve) => {
      world.schedule(this.actor, world.delay(), "write", () => {
        const status = this.#isUp ? 200 : 503;
        if (this.#isUp) this.#commit();
        const body = String(this.#value);
        world.schedule(process.actor, world.delay(), "written", () => resolve({ status, headers: {}, body }));
      });
    });
  }

  #broadcast(from: Process): Promise<void> {
    const { world } = this;
    const others = this.#processes.filter((each) => each !== from);
    const told = others.map(
      (each) =>
        new Promise<void>((resolve) => {
          world.schedule(each.actor, world.delay(), "told", () => {
            each.told("items");
            world.schedule(from.actor, world.delay(), "has heard", resolve);
          });
          world.schedule(from.actor, GIVEN_UP, "given up", resolve);
        }),
    );
    return Promise.all(told).then(() => {});
  }

  /** A change from outside the site; the feed announces it. */
  #commit(): void {
    if (!this.#isUp) return;
    this.#value += 1;
    const value = this.#value;
    for (const each of this.#processes)
      if (each.isFollowing)
        this.#inOrder(each, "change", () => {
          each.change();
          each.owes = Math.max(each.owes, value);
        });
  }

  #inOrder(to: Process, what: string, act: () => void): void {
    to.lastTold = Math.max(to.lastTold, this.world.now + this.world.delay());
    this.world.schedule(to.actor, to.lastTold - this.world.now, what, act);
  }

  #break(): void {
    const { world } = this;
    this.faults += 1;
    const process = world.pick(this.#processes);
    world.pick([
      () => this.#kill(process),
      () => this.#freeze(process.actor),
      () => this.#restart(),
      () => this.#interrupt(process),
    ])();
  }

  #kill(process: Process): void {
    process.actor.isAlive = false;
    this.#processes = this.#processes.map((each) => (each === process ? this.#start() : each));
  }

  #freeze(actor: Actor): void {
    actor.frozenUntil = Math.max(actor.frozenUntil, this.world.now + this.world.between(100, 5_000));
  }

  #restart(): void {
    this.#isUp = false;
    for (const each of this.#processes) this.#interrupt(each);
    this.world.schedule(this.actor, this.world.between(100, 4_000), "up", () => {
      this.#isUp = true;
      this.#upSince = this.world.now;
    });
  }

  /** Changes committed during the gap are not delivered, only that there may have been some. */
  #interrupt(process: Process): void {
    if (!process.isFollowing) return;
    process.isFollowing = false;
    this.world.schedule(this.actor, this.world.between(100, 4_000), "follows again", () => {
      process.isFollowing = true;
      const value = this.#value;
      this.#inOrder(process, "gap", () => {
        process.gap();
        process.owes = Math.max(process.owes, value);
      });
    });
  }
}
