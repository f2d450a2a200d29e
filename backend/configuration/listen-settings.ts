import { choice, text, wholeNumber } from "./gotrue/setting.ts";
import { type Environment, refuse, Variables } from "./variables.ts";

/** Which services are served: PostgREST's names and defaults apply if rest is, GoTrue's if auth is. */
type Served = { rest: boolean; auth: boolean };

const anyPort = { min: 0, max: 65_535 };
const GOTRUE_PORT = 8081;
const PGRST_PORT = 3000;

/** Where the standalone services listen, and what they log. */
export function readListenSettings(environment: Environment, served: Served) {
  const variables = new Variables(environment);
  const original = served.auth ? readOriginal(environment) : null;
  const host = variables.text("PGRST_SERVER_HOST") ?? original?.host ?? (served.rest ? "!4" : "*");
  const otherwise = served.rest ? PGRST_PORT : GOTRUE_PORT;
  const port = variables.integer("PGRST_SERVER_PORT", anyPort) ?? original?.port ?? otherwise;
  const level =
    variables.oneOf("PGRST_LOG_LEVEL", ["crit", "error", "warn", "info", "debug"]) ?? original?.logLevel;
  return {
    /** Address to listen on; undefined for all. */
    host: listenAddress(host),
    port,
    /** A Unix socket, which replaces host and port; null for none. */
    socket: readSocket(variables),
    adminHost: listenAddress(variables.text("PGRST_ADMIN_SERVER_HOST") ?? host),
    /** Null for no admin server. */
    adminPort: readAdminPort(variables, port),
    logLevel: level ?? (served.rest ? "error" : "info"),
    /** The header in which a proxy passes the request id, in lower case; null for none. */
    requestIdHeader:
      (variables.text("PGRST_SERVER_TRACE_HEADER") ?? original?.requestIdHeader)?.toLowerCase() ?? null,
  };
}

const LEVELS = {
  panic: "crit",
  fatal: "crit",
  error: "error",
  warning: "warn",
  warn: "warn",
  info: "info",
  debug: "debug",
  trace: "debug",
} as const;

/** Reads GoTrue's variables, preferring the prefixed name of each. */
function readOriginal(environment: Environment) {
  const LEVEL = "GOTRUE_LOG_LEVEL";
  const inLowerCase = { [LEVEL]: environment[LEVEL]?.toLowerCase() };
  const level = choice(LEVEL, Object.keys(LEVELS) as (keyof typeof LEVELS)[])(inLowerCase);
  return {
    host: text("GOTRUE_API_HOST")(environment) ?? text("API_HOST")(environment),
    port: wholeNumber("GOTRUE_API_PORT", anyPort)(environment) ?? wholeNumber("PORT", anyPort)(environment),
    logLevel: level && LEVELS[level],
    requestIdHeader:
      text("GOTRUE_API_REQUEST_ID_HEADER")(environment) ?? text("REQUEST_ID_HEADER")(environment),
  };
}

/** The mode is octal, from 600 to 777. */
function readSocket(variables: Variables): { path: string; mode: number } | null {
  const mode = variables.text("PGRST_SERVER_UNIX_SOCKET_MODE") ?? "660";
  if (!/^[67][0-7]{2}$/.test(mode))
    refuse("PGRST_SERVER_UNIX_SOCKET_MODE", "must be an octal number from 600 to 777");
  const path = variables.text("PGRST_SERVER_UNIX_SOCKET");
  return path === null ? null : { path, mode: Number.parseInt(mode, 8) };
}

function readAdminPort(variables: Variables, port: number): number | null {
  const adminPort = variables.integer("PGRST_ADMIN_SERVER_PORT", anyPort);
  if (adminPort !== null && adminPort !== 0 && adminPort === port) {
    refuse("PGRST_ADMIN_SERVER_PORT", "cannot be the same as PGRST_SERVER_PORT");
  }
  return adminPort;
}

/** Upstream's wildcards: `*` any address, `*4` and `!4` any IPv4, `*6` and `!6` any IPv6. */
function listenAddress(host: string): string | undefined {
  if (host === "*") return undefined;
  if (host === "*4" || host === "!4") return "0.0.0.0";
  return host === "*6" || host === "!6" ? "::" : host;
}
