import { existsSync, readFileSync, statSync, watch } from "node:fs";
import { dirname, join, sep } from "node:path";
import { parseEnv } from "node:util";
import { parse } from "smol-toml";
import * as v from "valibot";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";

export type DeclaredFunction = {
  name: string;
  /** Absolute path. */
  entry: string;
  verifyJwt: boolean;
};

/** The functions of a folder in the Supabase CLI's layout, and their environment variables. */
export type DeclaredFunctions = {
  /** Null if there is none of that name, or `config.toml` disables it. */
  find(name: string): DeclaredFunction | null;
  /** The operator's variables: `.env` in the folder. */
  variables(): Readonly<Record<string, string>>;
  close(): void;
};

/** The CLI's rule; no dots and no slashes, so that a name cannot escape the folder. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/;
const RESERVED = "SUPABASE_";

const Config = v.object({
  functions: v.optional(
    v.record(
      v.string(),
      v.object({
        enabled: v.optional(v.boolean(), true),
        verify_jwt: v.optional(v.boolean(), true),
        entrypoint: v.optional(v.string()),
      }),
    ),
    {},
  ),
});
type Settings = v.InferOutput<typeof Config>["functions"];

/**
 * @param folder such as `supabase/functions`; `config.toml` is next to it
 * @param onChange called when a file in the folder or its configuration changes; null disables watching
 */
export function readDeclaredFunctions(
  folder: string,
  onChange: (() => void) | null,
  log: Log,
): DeclaredFunctions {
  let settings = readSettings(folder);
  let variables = readVariables(folder, log);
  const reload = () => {
    try {
      settings = readSettings(folder);
      variables = readVariables(folder, log);
    } catch (cause) {
      log(logText`functions: ${fromOperator((cause as Error).message)}`, "error");
    }
    onChange?.();
  };
  const watchers = onChange
    ? [watch(folder, { recursive: true }, reload), ...watchConfig(folder, reload)]
    : [];
  for (const watcher of watchers)
    watcher.on("error", ({ message }) =>
      log(logText`functions: changes are no longer noticed: ${fromOperator(message)}`, "warn"),
    );
  return {
    find(name) {
      const { enabled = true, verify_jwt: verifyJwt = true, entrypoint } = settings[name] ?? {};
      const entry = entryOf(folder, name, entrypoint);
      return enabled && NAME.test(name) && isFile(entry) ? { name, entry, verifyJwt } : null;
    },
    variables: () => variables,
    close: () => watchers.forEach((watcher) => void watcher.close()),
  };
}

/** The file that the configuration names, if it lies in the folder, beyond which functions may read nothing. */
function entryOf(folder: string, name: string, entrypoint: string | undefined): string {
  const chosen = entrypoint && join(dirname(folder), entrypoint);
  return chosen?.startsWith(folder + sep) ? chosen : join(folder, name, "index.ts");
}

const configOf = (folder: string) => join(dirname(folder), "config.toml");

function watchConfig(folder: string, reload: () => void) {
  return existsSync(configOf(folder)) ? [watch(configOf(folder), reload)] : [];
}

function readSettings(folder: string): Settings {
  const file = configOf(folder);
  if (!existsSync(file)) return {};
  try {
    return v.parse(Config, parse(readFileSync(file, "utf8"))).functions;
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${(cause as Error).message}`);
  }
}

function readVariables(folder: string, log: Log): Record<string, string> {
  const file = join(folder, ".env");
  if (!existsSync(file)) return {};
  const all = Object.entries(parseEnv(readFileSync(file, "utf8"))) as [string, string][];
  for (const [name] of all)
    if (name.startsWith(RESERVED))
      log(
        logText`functions: ${fromOperator(name)} in ${fromOperator(file)} is ignored: names that begin with ${fromOperator(RESERVED)} are reserved.`,
        "warn",
      );
  return Object.fromEntries(all.filter(([name]) => !name.startsWith(RESERVED)));
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
