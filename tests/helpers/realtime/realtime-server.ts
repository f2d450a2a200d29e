import { createServer } from "node:http";
import {
  createClient,
  type RealtimeChannel,
  type RealtimeClientOptions,
  type SupabaseClient,
} from "@supabase/supabase-js";
import { type Backend, type BackendOptions, createBackend } from "#backend/backend.ts";
import { takeUpgrades } from "#backend/http/guarded-server.ts";
import { toNode } from "#backend/http/to-node.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase, GRANT_NEW_TABLES, type TestDatabase } from "../database.ts";
import { listen } from "../listen.ts";
import { ACCOUNTS, type AccountHolder } from "../people.ts";

const SECRET = "a secret of at least thirty-two characters";

/** One of the backends on the database, listening. */
export type Instance = {
  backend: Backend;
  url: string;
  close(): Promise<void>;
};

export type RealtimeTestServer = {
  testDatabase: TestDatabase;
  /** Connected as the owner. */
  owner: Database;
  anonKey: string;
  /** Options of its backends. */
  options: BackendOptions;
  /** The first backend on the database. */
  instance: Instance;
  /** Starts another backend, on the given port or on any free one. */
  openInstance(realtime?: Realtime, port?: number): Promise<Instance>;
  /** The official client signed in as `who`; null for a visitor. */
  clientFor(who: AccountHolder | null, options?: ClientOptions): Promise<SupabaseClient>;
  tokenFor(who: AccountHolder, claims?: Record<string, unknown>): Promise<string>;
  close(): Promise<void>;
};

type Realtime = NonNullable<BackendOptions["realtime"]>;

type ClientOptions = { instance?: Instance; token?: string; realtime?: RealtimeClientOptions };

/** A database with people in it, a backend on it and clients for it, all closed at the end. */
export async function openRealtime(limits: Realtime = {}): Promise<RealtimeTestServer> {
  const testDatabase = await createTestDatabase({ people: true });
  const owner = connectDatabase({ url: testDatabase.url, max: 2 });
  await owner.query(GRANT_NEW_TABLES);
  const anonKey = await signToken({ role: "anon" }, SECRET);
  const options: BackendOptions = {
    databaseUrl: testDatabase.authenticatorUrl,
    databaseConnections: 2,
    jwtSecret: SECRET,
    changeFeedUrl: testDatabase.url,
  };
  const instances = new Set<Instance>();
  const clients: SupabaseClient[] = [];

  async function openInstance(own: Realtime = limits, port = 0): Promise<Instance> {
    const backend = await createBackend({ ...options, realtime: own });
    const server = createServer(toNode(backend));
    takeUpgrades(server, backend.upgrade);
    const { url, close } = await listen(server, port);
    const instance: Instance = {
      backend,
      url,
      async close() {
        if (!instances.delete(instance)) return;
        await backend.close();
        await close();
      },
    };
    instances.add(instance);
    return instance;
  }

  const instance = await openInstance();
  const tokenFor = (who: AccountHolder, claims = {}) =>
    signToken(
      { sub: ACCOUNTS[who].id, role: "authenticated", exp: Math.floor(Date.now() / 1000) + 3600, ...claims },
      SECRET,
    );

  return {
    testDatabase,
    owner,
    anonKey,
    options,
    instance,
    openInstance,
    tokenFor,
    async clientFor(who, { instance: own = instance, ...rest } = {}) {
      const token = rest.token ?? (who ? await tokenFor(who) : anonKey);
      const client = createClient(own.url, anonKey, {
        accessToken: async () => token,
        realtime: { timeout: 20_000, ...rest.realtime },
      });
      clients.push(client);
      // The client joins right away; without this it would join as a visitor.
      await client.realtime.setAuth();
      return client;
    },
    async close() {
      await Promise.all(clients.map((client) => client.realtime.disconnect()));
      await Promise.all(Array.from(instances, (one) => one.close()));
      await owner.close();
      await testDatabase.drop();
    },
  };
}

/** Subscribes; resolves with the first status and its reason. */
export function subscribe(channel: RealtimeChannel): Promise<string> {
  return new Promise((resolve) => {
    channel.subscribe((status, error) => resolve(error ? `${status} ${error.message}` : status));
  });
}
