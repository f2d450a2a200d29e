import { readFile } from "node:fs/promises";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { Client } from "pg";
import { type Backend, type BackendOptions, createBackend } from "#backend/backend.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTestDatabase } from "#tests/helpers/database.ts";
import { OWNERS, type Person } from "#tests/helpers/people.ts";

const jwtSecret = "only these tests sign with this secret";
const url = "http://backend.test";

// biome-ignore lint/suspicious/noExplicitAny: a client without a schema's types is the point
type UntypedClient = SupabaseClient<any, any, any, any, { PostgrestVersion: "13" }>;

/** A backend on its own database, and an official client for each user. */
export type RestTestServer = {
  backend: Backend;
  /** As superuser, to inspect what was stored. */
  databaseUrl: string;
  /** The official client, untyped, because these tests also send invalid requests. */
  as(person: Person, schema?: string): UntypedClient;
  /** Sends a request without a client; `path` is relative to `/rest/v1`. */
  request(path: string, init?: RequestInit & { person?: Person | "nobody" }): Promise<Response>;
  close(): Promise<void>;
};

/** A backend on the harbour schema of `fixture/`, serving the schemas `api` and `annex`. */
export async function openFixture(options: Partial<BackendOptions> = {}): Promise<RestTestServer> {
  const database = await createFrom(["schema", "data", "privileges"]);
  return connect(database, { schemas: ["api", "annex"], ...options });
}

/** A backend on the workshop schema of `fixture/`, serving the schema `shop`; each request is rolled back. */
export async function openRestWorkshop(options: BackendOptions["rest"] = {}): Promise<RestTestServer> {
  const database = await createFrom(["workshop"]);
  const rest = { transactionEnd: "rollback", aggregates: true, ...options } as const;
  return connect(database, { schemas: ["shop"], rest });
}

async function createFrom(files: string[]): ReturnType<typeof createTestDatabase> {
  const database = await createTestDatabase({ empty: true });
  const client = new Client({ connectionString: database.url });
  await client.connect();
  for (const file of files) {
    await client.query(await readFile(new URL(`fixture/${file}.sql`, import.meta.url), "utf8"));
  }
  await client.end();
  return database;
}

/** A backend on the product's own database, with the starting catalog and people in it. */
export async function openProduct(options: Partial<BackendOptions> = {}): Promise<RestTestServer> {
  return connect(await createTestDatabase({ people: true }), options);
}

async function connect(
  database: Awaited<ReturnType<typeof createTestDatabase>>,
  options: Partial<BackendOptions>,
): Promise<RestTestServer> {
  const tokens = await signTokens();
  const { visitor: anonKey } = tokens;
  const backend = await createBackend({
    databaseUrl: database.authenticatorUrl,
    databaseConnections: 3,
    jwtSecret,
    ...options,
  });
  const schema = options.schemas?.[0] ?? (options.schemas ? "api" : "public");
  return {
    backend,
    databaseUrl: database.url,
    as: (person, chosen = schema) =>
      createClient(url, anonKey, {
        db: { schema: chosen },
        // A visitor's client has only the URL and the anonymous key.
        ...(person !== "visitor" && { accessToken: async () => tokens[person] }),
        global: { fetch: (input, init) => backend.fetch(new Request(input as Request, init)) },
      }),
    request(path, { person = "visitor", headers, ...init } = {}) {
      const sent = new Headers(
        person === "nobody" ? {} : { apikey: anonKey, authorization: `Bearer ${tokens[person]}` },
      );
      for (const [name, value] of new Headers(headers)) sent.set(name, value);
      return backend.fetch(new Request(`${url}/rest/v1${path}`, { ...init, headers: sent }));
    },
    async close() {
      await backend.close();
      await database.drop();
    },
  };
}

async function signTokens(): Promise<Record<Person, string>> {
  const sign = (claims: Record<string, string>) => signToken(claims, jwtSecret);
  const account = ({ id, email }: { id: string; email: string }) =>
    sign({ sub: id, email, role: "authenticated" });
  return {
    visitor: await sign({ role: "anon" }),
    server: await sign({ role: "service_role" }),
    Guest: await account(OWNERS.Guest),
    Ana: await account(OWNERS.Ana),
    Ben: await account(OWNERS.Ben),
    Eve: await account(OWNERS.Eve),
    Mia: await account(OWNERS.Mia),
    Ned: await account(OWNERS.Ned),
  };
}

/** Signs claims as this backend expects, for tokens that belong to no user. */
export function signTestToken(claims: Parameters<typeof signToken>[0]): Promise<string> {
  return signToken(claims, jwtSecret);
}
