import { join, resolve } from "node:path";
import type { BackendOptions } from "#backend/backend.ts";
import type { ServerConfig } from "../configuration/config.ts";

type FunctionsOptions = NonNullable<BackendOptions["functions"]>;

const PROJECT = resolve(import.meta.dirname, "../..");

/** The site's functions, and the keys by which they reach the services. */
export function functionsOptions(
  { functions, development }: ServerConfig,
  { anonKey, serviceRoleKey }: FunctionsOptions["keys"],
): FunctionsOptions {
  return {
    ...functions,
    folder: join(PROJECT, "supabase/functions"),
    packages: PROJECT,
    keys: { anonKey, serviceRoleKey },
    reloads: development,
  };
}
