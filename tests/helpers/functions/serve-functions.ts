import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { type BackendOptions, createBackend } from "#backend/backend.ts";
import { toNode } from "#backend/http/to-node.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import type { TestDatabase } from "#tests/helpers/database.ts";
import { listen } from "../listen.ts";

const jwtSecret = "a secret of functions that is long enough";

export type ServedFunctions = {
  url: string;
  anonKey: string;
  /** Log lines of the functions, and of the service about them. */
  lines: string[];
  /** The parent of `functions/`, where `config.toml` lives. */
  folder: string;
  connect(key?: string): SupabaseClient;
  /** Writes a file under the parent of `functions/`. */
  write(file: string, text: string): Promise<void>;
  close(): Promise<void>;
};

/** Serves all services over HTTP on a database, with the functions in `files`: `functions/name/index.ts` → source. */
export async function serveFunctions(
  database: TestDatabase,
  files: Record<string, string>,
  options: Partial<NonNullable<BackendOptions["functions"]>> = {},
): Promise<ServedFunctions> {
  const folder = await mkdtemp(join(tmpdir(), "functions-"));
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  };
  for (const [file, text] of Object.entries(files)) await write(file, text);
  const [anonKey = "", serviceRoleKey = ""] = await Promise.all(
    ["anon", "service_role"].map((role) => signToken({ role }, jwtSecret)),
  );
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const backend = await createBackend({
    databaseUrl: database.authenticatorUrl,
    databaseConnections: 3,
    jwtSecret,
    publishableKey: "sb_publishable_functions",
    secretKey: "sb_secret_functions",
    log,
    auth: {
      databaseUrl: database.authUrl,
      mailerAutoconfirm: true,
      mailer: { send: async () => {}, close: () => {} },
      log,
    },
    realtime: null,
    functions: {
      folder: join(folder, "functions"),
      packages: resolve(import.meta.dirname, "../../.."),
      keys: { anonKey, serviceRoleKey },
      ...options,
    },
  });
  const { url, close } = await listen(createServer(toNode(backend)));
  backend.servedAt(url);
  return {
    url,
    anonKey,
    lines,
    folder,
    write,
    connect: (key = anonKey) =>
      createClient(url, key, { auth: { autoRefreshToken: false, persistSession: false } }),
    async close() {
      await backend.close();
      await close();
      await rm(folder, { recursive: true });
    },
  };
}
