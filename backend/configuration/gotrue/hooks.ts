import type { HookAddresses } from "#backend/auth/hooks/create-hooks.ts";
import { HOOKS, type HookAddress, type HookName } from "#backend/auth/hooks/hook-table.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, type SettingRows, text } from "./setting.ts";

export const hookSettings = { hooks: readHooks } satisfies SettingRows;

const FUNCTION = /^pg-functions:\/\/[^/]*\/([A-Za-z_][A-Za-z0-9_]{0,62})\/([A-Za-z_][A-Za-z0-9_]{0,62})$/;
const LOCAL: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]", "host.docker.internal"]);
/** Format of Standard Webhooks: 24 to 64 bytes. Several may be given during key rotation. */
const SECRET = /^v1,whsec_([A-Za-z0-9+/]{32,86}={0,2})$/;

/** Reads `GOTRUE_HOOK_<NAME>_ENABLED`, `_URI` and `_SECRETS` of every hook; null if none is enabled. */
function readHooks(environment: Environment): HookAddresses | null {
  const found: HookAddresses = {};
  for (const [name, { variable }] of Object.entries(HOOKS) as [HookName, { variable: string }][]) {
    const read = readHook(environment, variable);
    if (flag(`${variable}_ENABLED`)(environment)) found[name] = read();
  }
  return Object.keys(found).length > 0 ? found : null;
}

/** Reads all variables of a disabled hook too, so that they are not reported as unknown. */
function readHook(environment: Environment, variable: string): () => HookAddress {
  const uri = text(`${variable}_URI`)(environment);
  const secrets = text(`${variable}_SECRETS`)(environment);
  return () => {
    if (uri === null) return refuse(`${variable}_URI`, "must name the hook");
    const [, schema, name] = FUNCTION.exec(uri) ?? [];
    if (schema && name) return { sqlName: `"${schema}"."${name}"` };
    if (isSafe(uri)) return { url: uri, keys: readKeys(secrets, `${variable}_SECRETS`) };
    const rule =
      "must be an https:// address, an http:// one of this machine, or pg-functions://postgres/schema/function";
    return refuse(`${variable}_URI`, rule);
  };
}

/** Only encrypted or local addresses: requests to a hook contain data that gives access to accounts. */
function isSafe(uri: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === "https:" || (protocol === "http:" && LOCAL.has(hostname));
}

function readKeys(secrets: string | null, variable: string): string[] {
  if (secrets === null) return refuse(variable, "must hold the key that signs, as v1,whsec_…");
  return secrets.split("|").map((secret) => {
    const [, key] = SECRET.exec(secret) ?? [];
    return (
      key ?? refuse(variable, "must hold keys as v1,whsec_… with 24 to 64 bytes in base64, separated by |")
    );
  });
}
