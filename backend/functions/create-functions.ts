import type { JSONWebKeySet } from "jose";
import { clientAddress } from "#backend/http/client-address.ts";
import { CLIENT_NETWORK, clientNetwork } from "#backend/http/client-network.ts";
import { withCors } from "#backend/http/cors.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { readBody } from "#backend/http/read-body.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { type ProcessGroup, shareOf } from "#backend/memory/process-group.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { errorResponse, FunctionError, notFound } from "./answers/function-error.ts";
import { requireToken } from "./answers/require-token.ts";
import { readDeclaredFunctions } from "./declared/declared-functions.ts";
import { defaultFunctionsConfig, type FunctionLimits, type FunctionsConfig } from "./functions-config.ts";
import { startWorker } from "./workers/function-worker.ts";
import { createWorkerPool } from "./workers/worker-pool.ts";

export type FunctionsOptions = Partial<Omit<FunctionsConfig, "limits">> & {
  limits?: Partial<FunctionLimits>;
  /** `supabase/functions`, as an absolute path. */
  folder: string;
  /** Absolute path of the folder with `package.json` and `node_modules`, for `npm:` imports. */
  packages: string;
  /** Passed to functions in the hosted service's variables. */
  keys: FunctionKeys;
  verifier: TokenVerifier;
  processGroup: ProcessGroup;
  /** Gets the functions' output, and a line for each that was killed. */
  log: Log;
};

/** API keys, and the public keys that verify users' tokens. */
type FunctionKeys = {
  anonKey?: string | undefined;
  serviceRoleKey?: string | undefined;
  publishableKey?: string | undefined;
  secretKey?: string | undefined;
  jwks?: JSONWebKeySet | undefined;
};

/** functions/v1: serves the functions in a folder, each in processes of its own. It never rejects. */
export type Functions = HttpHandler & {
  /** Sets the public URL once it is known; functions get it as `SUPABASE_URL`. */
  servedAt(url: string): void;
  close(): Promise<void>;
};

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** @throws Error if the folder's `config.toml` cannot be read */
export function createFunctions(options: FunctionsOptions): Functions {
  const { folder, packages, keys, verifier, processGroup, log, limits: chosen, ...rest } = options;
  const config: FunctionsConfig = {
    ...defaultFunctionsConfig,
    ...rest,
    limits: limitsOf({ ...defaultFunctionsConfig.limits, ...chosen }, processGroup),
  };
  const { limits, addressHeader } = config;
  let url: string | undefined;
  const declared = readDeclaredFunctions(folder, config.reloads ? () => pool.renew() : null, log);
  const environment = () => ({
    ...declared.variables(),
    SUPABASE_URL: url,
    ...variablesOf(keys),
  });
  const pool = createWorkerPool(
    ({ name, entry }) =>
      startWorker({ name, entry, folder, packages, environment: environment(), log }, limits),
    limits,
  );

  async function answer(request: HttpRequest): Promise<HttpResponse> {
    const path = request.url.slice(config.basePath.length);
    const target = declared.find(/^\/([^/?]*)/.exec(path)?.[1] ?? "");
    if (!target) throw notFound();
    const { method, headers } = request;
    if (!METHODS.has(method)) throw new FunctionError(405, "METHOD_NOT_ALLOWED", "Method not allowed");
    if (target.verifyJwt && method !== "OPTIONS") await requireToken(headers, verifier);
    return pool.call(clientNetwork(request, addressHeader), target, {
      method,
      path,
      headers: forwarded(request, addressHeader),
      body: await bodyOf(request, limits.requestBody),
    });
  }

  function refuse(cause: unknown, request: HttpRequest): Promise<HttpResponse> {
    const known = cause instanceof FunctionError ? cause : null;
    if (!known)
      log(logText`functions: ${fromOperator(request.method)} failed: ${describeCause(cause)}`, "error");
    const error = known ?? new FunctionError(500, "INTERNAL_ERROR", "Internal server error");
    // CORS headers, so that a page can read the error; functions add their own to their responses.
    const refusal: HttpHandler = { bodyAt: () => 0, handle: async () => errorResponse(error) };
    return withCors(refusal, config.corsOrigins).handle(request);
  }

  return {
    // No body is read before the token has been checked.
    bodyAt: () => "stream",
    handle: (request) => answer(request).catch((cause) => refuse(cause, request)),
    servedAt(address) {
      url = address;
    },
    async close() {
      declared.close();
      await pool.close();
    },
  };
}

/** The newer keys are lists by name; there is one of each. */
function variablesOf({ anonKey, serviceRoleKey, publishableKey, secretKey, jwks }: FunctionKeys) {
  return {
    SUPABASE_ANON_KEY: anonKey,
    SUPABASE_SERVICE_ROLE_KEY: serviceRoleKey,
    ...(publishableKey && { SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: publishableKey }) }),
    ...(secretKey && { SUPABASE_SECRET_KEYS: JSON.stringify({ default: secretKey }) }),
    ...(jwks && { SUPABASE_JWKS: JSON.stringify(jwks) }),
  };
}

/** The limits are shared, so that all processes together start no more workers than one would. */
function limitsOf(limits: FunctionLimits, processGroup: ProcessGroup): FunctionLimits {
  const { workers, waitingInAll } = limits;
  return {
    ...limits,
    workers: shareOf(workers, processGroup),
    waitingInAll: shareOf(waitingInAll, processGroup, limits.waiting),
  };
}

async function bodyOf({ body, stream, headers }: HttpRequest, limit: number): Promise<Uint8Array | null> {
  const read = stream ? await readBody(stream, limit, headers["content-length"]) : body;
  if (read === null || read instanceof Uint8Array) return read;
  throw new FunctionError(413, "PAYLOAD_TOO_LARGE", `Request body exceeds ${limit} bytes`);
}

const NOT_FORWARDED = [
  CLIENT_NETWORK,
  "content-length",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "expect",
  "te",
  "trailer",
];

/** The caller's headers, with the address that rate limits use in place of the claimed `x-forwarded-for`. */
function forwarded(request: HttpRequest, addressHeader: string | null): Record<string, string> {
  const headers: Record<string, string> = { ...request.headers };
  for (const name of NOT_FORWARDED) delete headers[name];
  headers.host ??= "localhost";
  headers["x-forwarded-for"] = clientAddress(request, addressHeader);
  return headers;
}
