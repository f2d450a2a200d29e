import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const VERSION = "3.1.0";
const FOLDER = fileURLToPath(new URL(`../../.cache/supabase-cli-${VERSION}`, import.meta.url));
const PROGRAM = join(FOLDER, "node_modules/supabase/dist/supabase.js");
const LONGEST_OUTPUT = 64 * 1024 * 1024;

const execute = promisify(execFile);

/** A command's output: the result on `stdout`, messages on `stderr`. */
export type CommandOutput = { stdout: string; stderr: string };

/**
 * Runs the official Supabase CLI, in a pinned version downloaded from the npm registry on first use: 142 MB that only
 * schema changes need. `folder` contains the `supabase/` to work on. Rejects with the output if it fails.
 */
export async function runSupabaseCli(args: readonly string[], folder: string): Promise<CommandOutput> {
  if (!existsSync(PROGRAM)) await fetchCli();
  return await execute(process.execPath, [PROGRAM, ...args, "--workdir", folder], {
    env: { ...process.env, DO_NOT_TRACK: "1", SUPABASE_YES: "true" },
    maxBuffer: LONGEST_OUTPUT,
  });
}

/** Downloads into a temporary folder first, so that an interrupted download is not mistaken for a complete one. */
async function fetchCli(): Promise<void> {
  const incoming = `${FOLDER}.${process.pid}`;
  await mkdir(incoming, { recursive: true });
  await execute("npm", [
    "install",
    "--prefix",
    incoming,
    "--no-save",
    "--loglevel=error",
    `supabase@${VERSION}`,
  ]);
  await rename(incoming, FOLDER).catch(async (error: NodeJS.ErrnoException) => {
    await rm(incoming, { recursive: true, force: true });
    if (!existsSync(PROGRAM)) throw error;
  });
}
