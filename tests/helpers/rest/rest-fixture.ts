import { readFile } from "node:fs/promises";
import { Client } from "pg";
import type { HttpResponse } from "#backend/http/http-message.ts";
import { connectDatabase, type Database } from "#backend/postgres/database.ts";
import { createRest, type Rest, type RestOptions } from "#backend/rest/create-rest.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import { createTokenVerifier } from "#backend/tokens/token-verifier.ts";
import { createTestDatabase } from "../database.ts";

const secret = "a secret of the endpoint tests, long enough for HS256";

export type Call = {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  role?: string;
  sub?: string;
};

export type RestFixture = {
  rest: Rest;
  /** Connected with the service's login. */
  database: Database;
  call(method: string, url: string, options?: Call): Promise<HttpResponse>;
  /** Runs SQL as superuser. */
  admin(sql: string): Promise<void>;
  close(): Promise<void>;
};

/** rest/v1 on a private database with nothing but `schema.sql`, without watching for schema changes. */
export async function startRest(options: Partial<RestOptions> = {}, connections = 4): Promise<RestFixture> {
  const testDatabase = await createTestDatabase({ empty: true });
  const superuser = new Client({ connectionString: testDatabase.url });
  await superuser.connect();
  await superuser.query(await readFile(new URL("schema.sql", import.meta.url), "utf8"));
  const database = connectDatabase({ url: testDatabase.authenticatorUrl, max: connections });
  const verifier = createTokenVerifier({ secret, anonRole: "anon" });
  const rest = createRest({
    database,
    verifier,
    basePath: "",
    schemas: ["api", "other_api"],
    transactionEnd: "commit-allow-override",
    ...options,
  });
  return {
    rest,
    database,
    call: (method, url, call = {}) => callRest(rest, method, url, call),
    admin: async (sql) => void (await superuser.query(sql)),
    async close() {
      await rest.close();
      await database.close();
      await superuser.end();
      await testDatabase.drop();
    },
  };
}

async function callRest(rest: Rest, method: string, url: string, { headers, body, role, sub }: Call) {
  const sent: Record<string, string> = { "content-type": "application/json", ...headers };
  if (role !== undefined) sent.authorization = `Bearer ${await tokenFor(role, sub)}`;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : (body ?? null);
  return rest.handle({ method, url, headers: sent, body: bytes });
}

export function tokenFor(
  role: string,
  sub?: string,
  exp = Math.floor(Date.now() / 1000) + 600,
): Promise<string> {
  return signToken({ role, exp, ...(sub !== undefined && { sub }) }, secret);
}

/** The body, parsed as the client would parse it. */
export function json(response: HttpResponse): unknown {
  return JSON.parse(String(response.body));
}
