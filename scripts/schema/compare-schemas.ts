import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSupabaseCli } from "./supabase-cli.ts";

/** The SQL that migrates the database at `from` to the schema of the one at `to`; empty if the schemas are the same. */
export async function diffSchemas(from: string, to: string): Promise<string> {
  const { stdout } = await inEmptyFolder((folder) =>
    runSupabaseCli(["db", "diff", "--from", from, "--to", to], folder),
  );
  return stdout.trim();
}

/** The database's public schema as TypeScript, for `supabase/database.types.ts`. */
export async function generateTypes(url: string): Promise<string> {
  const { stdout } = await inEmptyFolder((folder) =>
    runSupabaseCli(["gen", "types", "typescript", `--remote=${url}`, "--schema", "public"], folder),
  );
  return await format(`// Written by \`npm run schema\`.\n${stdout}`);
}

async function inEmptyFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "supabase-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Formats generated TypeScript in the project's style. */
export function format(source: string): Promise<string> {
  const biome = fileURLToPath(new URL("../../node_modules/.bin/biome", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = execFile(
      biome,
      ["format", "--stdin-file-path=supabase/database.types.ts"],
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin?.end(source);
  });
}
