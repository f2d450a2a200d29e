import type { Database, Row } from "#backend/postgres/database.ts";
import { DatabaseUnavailableError } from "#backend/postgres/database.ts";
import { followRevocations, type RevocationFeed } from "#backend/tokens/revocation-feed.ts";
import { isOfSession, type Revocations } from "#backend/tokens/revocations.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { RevokedTokenError } from "#backend/tokens/token-error.ts";
import { createTokenVerifier, type TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { tellStory } from "./tell-story.ts";
import { Actor, type World } from "./world.ts";

const SECRET = "a secret of at least thirty-two characters";
const SESSIONS = Array.from({ length: 6 }, (_, index) => `session-${index}`);
const FAR = 4_000_000_000;
/** A poll every two seconds, two more until its answer is given up, and the time in transit. */
const BOUND = 4_200;
/** If polling fails for three seconds more, open channels are closed. */
const OPEN_BOUND = BOUND + 3_100;
const STORM = 30_000;
const SET_BY = 900_000;

/** A session that ended is refused by every process, and no other session is. */
export function simulateSessions(seed: number) {
  return tellStory(seed, async (world) => {
    // Signatures are verified on separate threads, so that is done before the world's time begins.
    const verifiers = await Promise.all([1, 2, 3, 4, 5].map(openVerifier));
    return new SessionsStory(world, verifiers);
  });
}

type SessionVerifier = { verifier: TokenVerifier; tokens: string[]; use(feed: Revocations): void };

async function openVerifier(): Promise<SessionVerifier> {
  let used: Revocations | null = null;
  const revocations: Revocations = {
    has: (claims) => used?.has(claims) ?? false,
    isCurrent: () => used?.isCurrent() ?? true,
    refresh: async () => used?.refresh(),
    isLost: () => used?.isLost() ?? false,
  };
  const verifier = createTokenVerifier({ secret: SECRET, anonRole: "anon", revocations });
  const claims = (session_id: string) => ({ role: "authenticated", sub: "somebody", session_id, exp: FAR });
  const tokens = await Promise.all(SESSIONS.map((each) => signToken(claims(each), SECRET)));
  for (const token of tokens) await verifier.verify(token);
  const use = (feed: Revocations) => {
    used = feed;
  };
  return { verifier, tokens, use };
}

type Process = SessionVerifier & { actor: Actor; feed: RevocationFeed | null; startedAt: number };

class SessionsStory {
  readonly actor = new Actor("database");
  readonly world: World;
  faults = 0;
  said = 0;
  /** When the end of each session was committed. */
  readonly ended = new Map<string, number>();
  #verifiers: SessionVerifier[];
  #processes: Process[];
  #rows: { subject: string; written: number }[] = [];
  #underWay = new Set<number>();
  #transactions = 1;
  #listeners = new Set<{ actor: Actor; tell(payload: string | null): void; isLive: boolean }>();
  #state: "up" | "down" | "mute" = "up";
  #troubleUntil = 0;

  constructor(world: World, verifiers: SessionVerifier[]) {
    this.world = world;
    this.#verifiers = verifiers;
    this.#processes = [1, 2].map(() => this.#start());
  }

  async tell(): Promise<void> {
    const { world } = this;
    for (const end = world.now + STORM; world.now < end; ) {
      await world.run(world.between(20, 600));
      if (world.chance(0.8)) await this.#visit(world.pick(this.#processes), world.between(0, 5));
      else if (world.chance(0.5)) this.#revoke(world.pick(SESSIONS.slice(1)));
      else this.#break();
    }
    await world.run(30_000);
    for (const each of this.#processes)
      for (const index of SESSIONS.keys()) {
        await this.#visit(each, index);
        if (this.#isGood(each, index) === this.ended.has(SESSIONS[index] as string))
          throw new Error("an open channel is judged wrongly");
      }
    await world.run(10_000);
  }

  #start(): Process {
    const process: Process = {
      ...(this.#verifiers.pop() as SessionVerifier),
      actor: new Actor(`process ${this.#verifiers.length}`),
      feed: null,
      startedAt: this.world.now,
    };
    this.world.schedule(process.actor, 1, "start", () => {
      void followRevocations(this.#databaseFor(process.actor)).then((feed) => {
        process.use(feed);
        process.feed = feed;
      });
    });
    return process;
  }

  async #visit(process: Process, index: number): Promise<void> {
    const { world } = this;
    const session = SESSIONS[index] as string;
    const asked = world.now;
    const { actor } = process;
    if (!process.feed || actor.frozenUntil > asked - BOUND) return;
    this.said += 1;
    await world.as(actor, () => {
      if (this.#isOutFor(OPEN_BOUND, session, process) && this.#isGood(process, index))
        this.#fail = `${session} ended and its channels stay open`;
      process.verifier.verify(process.tokens[index]).then(
        () => {
          if ((this.ended.get(session) ?? asked) < asked - BOUND)
            this.#fail = `${session} ended and was let in`;
        },
        (cause) => {
          if (cause instanceof RevokedTokenError && !this.ended.has(session))
            this.#fail = `${session} was refused`;
          const isTrouble = this.#troubleUntil + BOUND > asked || this.#state !== "up";
          if (cause instanceof DatabaseUnavailableError && !isTrouble)
            this.#fail = "refused without a reason";
        },
      );
    });
    this.check();
  }

  #isGood({ verifier }: Process, index: number): boolean {
    return verifier.standing({ ...NOBODY, claims: claimsOf(index) }) === "good";
  }

  /**
   * Whether the session ended long enough ago for the process to have heard of it, or to have noticed that the database
   * is gone.
   */
  #isOutFor(time: number, session: string, { actor, startedAt }: Process): boolean {
    const since = Math.max(this.ended.get(session) ?? this.world.now, actor.frozenUntil, startedAt);
    return since < this.world.now - time;
  }

  #fail: string | null = null;
  check(): void {
    if (this.#fail) throw new Error(this.#fail);
  }

  #revoke(session: string): void {
    const written = this.#transactions++;
    this.#underWay.add(written);
    this.world.schedule(this.actor, this.world.delay(), "commit", () => {
      this.#underWay.delete(written);
      if (this.#state === "down") return;
      this.#rows.push({ subject: session, written });
      this.ended.set(session, Math.min(this.ended.get(session) ?? this.world.now, this.world.now));
      for (const each of this.#listeners)
        if (each.isLive)
          this.world.schedule(each.actor, this.world.delay(), "notified", () => each.tell(session));
    });
  }

  #break(): void {
    const { world } = this;
    this.faults += 1;
    const process = world.pick(this.#processes);
    world.pick([
      () => this.#kill(process),
      () => this.#freeze(process.actor),
      () => this.#lose("down"),
      () => this.#lose("mute"),
      () => this.#deafen(process.actor),
      () => {
        process.actor.skew = world.between(-SET_BY, SET_BY);
      },
    ])();
  }

  #kill(process: Process): void {
    if (this.#verifiers.length === 0) return;
    process.actor.isAlive = false;
    this.#processes = this.#processes.map((each) => (each === process ? this.#start() : each));
  }

  #freeze(actor: Actor): void {
    actor.frozenUntil = Math.max(actor.frozenUntil, this.world.now + this.world.between(100, 6_000));
  }

  #lose(how: "down" | "mute"): void {
    const after = this.world.between(100, 15_000);
    this.#state = how;
    this.#troubleUntil = Math.max(this.#troubleUntil, this.world.now + after);
    for (const each of this.#listeners) this.#deafen(each.actor);
    this.world.schedule(this.actor, after, "up", () => {
      this.#state = "up";
    });
  }

  /** Its listening connection is down for a while; notifications in between are lost. */
  #deafen(actor: Actor): void {
    for (const each of this.#listeners) {
      if (each.actor !== actor || !each.isLive) continue;
      each.isLive = false;
      // A connection that breaks silently may never come back.
      if (this.world.chance(0.3)) continue;
      this.world.schedule(actor, this.world.between(100, 5_000), "listens again", () => {
        each.isLive = true;
        each.tell(null);
      });
    }
  }

  #databaseFor(actor: Actor): Database {
    const { world } = this;
    const ask = <T>(work: () => T) =>
      new Promise<T>((resolve, reject) => {
        world.schedule(this.actor, world.delay(), "look", () => {
          if (this.#state === "mute") return;
          const isDown = this.#state === "down";
          const result = isDown ? null : work();
          world.schedule(actor, world.delay(), "answer", () =>
            isDown
              ? reject(new DatabaseUnavailableError("connection", new Error("down")))
              : resolve(result as T),
          );
        });
      });
    return {
      query: (_, [since]: (string | null)[] = []) => ask(() => this.#look(Number(since))),
      listen: (_, tell) =>
        ask(() => {
          this.#listeners.add({ actor, tell, isLive: true });
          return { close: async () => {} };
        }),
      close: async () => {},
    } as Partial<Database> as Database;
  }

  /** Committed rows, and the transaction from which on there may be more. */
  #look(since: number): Row[] {
    const seen = String(Math.min(this.#transactions, ...this.#underWay));
    const rows = this.#rows.filter(({ written }) => written >= since);
    if (rows.length === 0) return [{ subject: null, until: null, seen }];
    return rows.map(({ subject }) => ({ subject, until: String(FAR * 1000), seen }));
  }
}

const claimsOf = (index: number) => ({ session_id: SESSIONS[index] });
const NOBODY = { role: "authenticated", claimsText: "" };
if (!isOfSession(claimsOf(0))) throw new Error("the sessions are none");
