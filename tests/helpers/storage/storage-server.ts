import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { createDiskStore } from "#backend/storage/files/disk-store.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase } from "../database.ts";
import { listen } from "../listen.ts";
import { OWNERS, type Owner, type Person } from "../people.ts";

export const jwtSecret = "only these tests sign with this secret";

type StorageSettings = Partial<NonNullable<BackendOptions["storage"]>>;

/** A listening backend with storage/v1 on the product's database, and official clients for each user. */
export type StorageTestServer = {
  url: string;
  /** The folder of in-progress uploads, stored files and rendered pictures. */
  folder: string;
  as(person: Person): SupabaseClient["storage"];
  keys: Record<Person, string>;
  anonKey: string;
  /** Sends a request without a client, as a visitor by default; `path` is relative to `/storage/v1`. */
  request(method: string, path: string, options?: RequestOptions): Promise<Response>;
  /** Runs a query as superuser. */
  query(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** Versions that have a file on disk. */
  files(): Promise<string[]>;
  /** Bodies still being received. */
  incoming(): Promise<string[]>;
  logged: string[];
  databaseUrls: { superuser: string; authenticator: string };
  close(): Promise<void>;
};

type RequestOptions = { as?: Person | null; body?: BodyInit; headers?: Record<string, string> };

export async function openStorage(settings: StorageSettings = {}): Promise<StorageTestServer> {
  const database = await createTestDatabase({ people: true });
  const superuser = new Client({ connectionString: database.url });
  await superuser.connect();
  const folder = await mkdtemp(join(tmpdir(), "storage-"));
  const keys = await signKeys();
  const logged: string[] = [];
  const backend = await createBackend({
    databaseUrl: database.authenticatorUrl,
    databaseConnections: 4,
    jwtSecret,
    storage: {
      workFolder: folder,
      store: createDiskStore(join(folder, "files")),
      log: (line) => logged.push(line),
      ...settings,
    },
  });
  // As the service does: a test that makes a large file meanwhile would meet a connection that was just closed.
  const server = createServer({ keepAliveTimeout: 125_000 }, toNode(backend));
  const { url, close } = await listen(server);
  return {
    url,
    folder,
    keys,
    anonKey: keys.visitor,
    logged,
    databaseUrls: { superuser: database.url, authenticator: database.authenticatorUrl },
    as: (person) => connect(url, keys.visitor, keys[person]),
    request: (method, path, { as = "visitor", body, headers } = {}) =>
      fetch(`${url}/storage/v1${path}`, {
        method,
        headers: {
          ...(as && { apikey: keys.visitor, authorization: `Bearer ${keys[as]}` }),
          ...headers,
        },
        ...(body !== undefined && { body, duplex: "half" }),
        redirect: "manual",
      } as RequestInit),
    query: async (text, values) => (await superuser.query(text, values)).rows,
    files: async () => {
      const shelves = await readdir(join(folder, "files")).catch(() => []);
      const names = await Promise.all(shelves.map((shelf) => readdir(join(folder, "files", shelf))));
      return names.flat();
    },
    incoming: () => readdir(join(folder, "incoming")),
    async close() {
      await close();
      await backend.close();
      await superuser.end();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function signKeys(): Promise<Record<Person, string>> {
  const ofPerson = (name: Owner) =>
    signToken({ sub: OWNERS[name].id, email: OWNERS[name].email, role: "authenticated" }, jwtSecret);
  return {
    visitor: await signToken({ role: "anon" }, jwtSecret),
    Guest: await ofPerson("Guest"),
    Ana: await ofPerson("Ana"),
    Ben: await ofPerson("Ben"),
    Eve: await ofPerson("Eve"),
    Mia: await ofPerson("Mia"),
    Ned: await ofPerson("Ned"),
    server: await signToken({ role: "service_role" }, jwtSecret),
  };
}

function connect(url: string, apiKey: string, token: string): SupabaseClient["storage"] {
  return createClient(url, apiKey, { accessToken: async () => token }).storage;
}
