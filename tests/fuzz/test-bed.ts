import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { loadKeys } from "#server/data-dir/load-keys.ts";
import { makeNewUsersAdults } from "#tests/helpers/adult-users.ts";
import { type ServerProcess, startServer } from "#tests/helpers/server-process.ts";
import type { Who } from "./fuzz-request.ts";
import { readSchema } from "./read-schema.ts";
import type { Schema } from "./services/rest.ts";
import { DOT } from "./services/storage.ts";

const PASSWORD = "Correct horse 4 battery!";
const PEOPLE = ["Ana", "Ben", "Cal", "Eve"] as const;
/** A token with an invalid signature. */
const FORGED =
  `${btoa('{"alg":"HS256","typ":"JWT"}')}.${btoa('{"role":"service_role","exp":9999999999}')}.AAAA`.replaceAll(
    "=",
    "",
  );

/** Enables features that are off by default, so they are tested too; the fuzzer invents each request's address. */
const SETTINGS = {
  CLIENT_ADDRESS_HEADER: "x-real-ip",
  METRICS_PORT: "0",
  AVATAR_UPLOADS: "on",
  GOTRUE_OAUTH_SERVER_ENABLED: "true",
  GOTRUE_OAUTH_SERVER_ALLOW_DYNAMIC_REGISTRATION: "true",
  GOTRUE_EXTERNAL_WEB3_ETHEREUM_ENABLED: "true",
  GOTRUE_EXTERNAL_WEB3_SOLANA_ENABLED: "true",
};

/** The whole built site in its own process, with users who own data. */
export type TestBed = {
  server: ServerProcess;
  schema: Schema;
  /** Values for the names in double braces. */
  words: Map<string, string>;
  /** The headers that identify a user. */
  headersOf(who: Who): Record<string, string>;
  /** Signs all users in again and restores what requests deleted. */
  renew(): Promise<void>;
  readFigures(): Promise<Map<string, number>>;
  /** CPU milliseconds of the server's longest event-loop turn since the last call. */
  readHold(): Promise<number>;
  close(): Promise<void>;
};

/** @param dataDir removed in the end; by default a first start creates one */
export async function openTestBed(
  dataDir = mkdtempSync(join(tmpdir(), "fruit-values-fuzz-")),
): Promise<TestBed> {
  const command = [process.execPath, "--import", "./tests/fuzz/watch-loop.ts", "server/main.ts"];
  const server = await startServer({ env: { DATA_DIR: dataDir, ...SETTINGS }, command });
  const databaseUrl = readFileSync(join(dataDir, "database-url"), "utf8").trim();
  await makeNewUsersAdults(databaseUrl);
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const { anonKey, serviceRoleKey } = await loadKeys(dataDir);
  const words = new Map([
    ["forged", FORGED],
    ["key", anonKey],
  ]);
  const tokens = new Map<Who, string>([
    ["visitor", ""],
    ["server", serviceRoleKey],
    ["forger", FORGED],
  ]);
  let asked = 0;
  const ask = async (path: string, body: unknown, method = "POST") =>
    fetch(`${server.address}${path}`, {
      method,
      headers: {
        apikey: serviceRoleKey,
        authorization: `Bearer ${serviceRoleKey}`,
        "content-type": body instanceof Buffer ? "image/png" : "application/json",
        "x-upsert": "true",
        // A different address each time, since sign-ins are limited.
        "x-real-ip": `192.0.2.${(asked++ % 250) + 1}`,
      },
      body: body instanceof Buffer ? new Uint8Array(body) : JSON.stringify(body),
    });
  const renew = async () => {
    for (const name of PEOPLE) {
      const found = (await signIn(ask, name)) ?? (await signUp(ask, name, database));
      words
        .set(`${name}.id`, found.user.id)
        .set(`${name}.token`, found.access_token)
        .set(`${name}.refresh`, found.refresh_token);
      tokens.set(name, found.access_token);
    }
    await ask("/storage/v1/bucket", { id: "fuzz", name: "fuzz", public: true });
    for (const name of ["a.txt", "dot.png", "folder/b.txt"])
      await ask(`/storage/v1/object/fuzz/${name}`, DOT);
    const { rows } = await database.query(
      "select (select id from items order by name limit 1) as item, (select id from categories limit 1) as category",
    );
    words.set("item", String(rows[0].item)).set("category", String(rows[0].category));
  };
  await renew();
  const [operator, watcher] = [/Metrics are at (\S+)/, /The loop is watched at (\S+)/].map(
    (said) => said.exec(server.output())?.[1] ?? "",
  ) as [string, string];
  return {
    server,
    schema: await readSchema(database),
    words,
    headersOf(who) {
      const token = tokens.get(who);
      if (token === undefined) return {};
      return {
        apikey: who === "server" ? serviceRoleKey : anonKey,
        ...(token && { authorization: `Bearer ${token}` }),
      };
    },
    renew,
    readHold: async () => Number(await (await fetch(watcher)).text()),
    readFigures: async () => parseFigures(await (await fetch(operator)).text()),
    async close() {
      await database.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

type Ask = (path: string, body: unknown, method?: string) => Promise<Response>;
type Session = { access_token: string; refresh_token: string; user: { id: string } };

const addressOf = (name: string) => `${name.toLowerCase()}@example.org`;

async function signIn(ask: Ask, name: string): Promise<Session | null> {
  const answer = await ask("/auth/v1/token?grant_type=password", {
    email: addressOf(name),
    password: PASSWORD,
  });
  return answer.ok ? ((await answer.json()) as Session) : null;
}

/** Works even if requests deleted the account or changed its password. */
async function signUp(ask: Ask, name: string, database: Client): Promise<Session> {
  await database.query("delete from auth.users where email = $1", [addressOf(name)]);
  const made = await ask("/auth/v1/admin/users", {
    email: addressOf(name),
    password: PASSWORD,
    email_confirm: true,
  });
  if (!made.ok) throw new Error(`${name} gets no account: ${await made.text()}`);
  const { id } = (await made.json()) as { id: string };
  if (name === "Eve")
    await database.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
  const session = await signIn(ask, name);
  if (!session) throw new Error(`${name} cannot sign in`);
  return session;
}

function parseFigures(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(" ")),
      Number(line.slice(line.lastIndexOf(" ") + 1)),
    ]),
  );
}
