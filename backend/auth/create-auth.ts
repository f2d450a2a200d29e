import { createBackgroundWork } from "#backend/http/background-work.ts";
import type { HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { type Database, DatabaseUnavailableError } from "#backend/postgres/database.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { AuthConfig } from "./auth-config.ts";
import { defaultAuthConfig } from "./auth-defaults.ts";
import { AuthError, apiVersion, errorResponse } from "./auth-error.ts";
import type { AuthService } from "./auth-service.ts";
import { cleanUp } from "./clean-up.ts";
import { createRateLimits } from "./limits/rate-limits.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createPasswordHasher } from "./passwords/password-hasher.ts";
import type { SmsSender } from "./phone/sms-hook.ts";
import { type Reply, readClient } from "./requests/call.ts";
import { requireApiKey } from "./requests/require-api-key.ts";
import { createRouter } from "./requests/router.ts";
import { routes } from "./routes.ts";

export type AuthOptions = Partial<AuthConfig> & {
  /** As role `supabase_auth_admin`. */
  database: Database;
  signer: TokenSigner;
  /** Must know the signer's keys. */
  verifier: TokenVerifier;
  mailer: Mailer;
  /** Without it nobody gets a text message. */
  sms?: SmsSender | null;
  /** Keys the signatures of refresh tokens and mailed codes; a new one ends every session. */
  secret: string;
  /** Requests must bring an `apikey`, as the hosted gateway has it. */
  requireApiKey: boolean;
  /** Gets a line for each failure that is not the caller's; it names no person and no secret. */
  log(line: string): void;
};

/** auth/v1: the dialect of GoTrue over one database. */
export type Auth = {
  /** Never rejects: whatever goes wrong becomes an answer. */
  handle(request: HttpRequest): Promise<HttpResponse>;
  /** Resolves when what goes on behind answers already given is done. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

const CLEAN_UP_EVERY_MS = 3_600_000;

export async function createAuth(options: AuthOptions): Promise<Auth> {
  const {
    database,
    signer,
    verifier,
    mailer,
    sms = null,
    secret,
    log,
    requireApiKey: needsKey,
    ...chosen
  } = options;
  const config: AuthConfig = { ...defaultAuthConfig, ...chosen };
  const background = createBackgroundWork((cause) =>
    log(`auth: work behind an answer failed: ${describe(cause)}`),
  );
  const service: AuthService = {
    config,
    database,
    signer,
    verifier,
    mailer,
    sms,
    secret,
    passwords: await createPasswordHasher(),
    limits: createRateLimits(database, config.limits),
    later: background.run,
  };
  const find = createRouter(routes);
  const cleaning = setInterval(
    () => background.run(() => cleanUp(database.query, config)),
    CLEAN_UP_EVERY_MS,
  ).unref();

  async function answer(request: HttpRequest): Promise<Reply> {
    const url = new URL(request.url, "http://service");
    const path = url.pathname.slice(config.basePath.length) || "/";
    const match = find(request.method, path);
    if (needsKey) await requireApiKey(request, url, path, verifier);
    if (!match) throw new AuthError(404, "not_found", "404 page not found");
    const client = readClient(request, config.addressHeader);
    return match.endpoint({ request, params: match.params, query: url.searchParams, client }, service);
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const version = apiVersion(request.headers);
    const echo: Record<string, string> = version === null ? {} : { "x-supabase-api-version": version };
    try {
      const { status, body, headers } = await answer(request);
      return {
        status,
        headers: {
          ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
          "cache-control": "no-store",
          ...echo,
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
      };
    } catch (cause) {
      const response = errorResponse(toAuthError(cause, request, log), version);
      return { ...response, headers: { ...response.headers, ...echo } };
    }
  }

  return {
    handle,
    settle: background.settle,
    async close() {
      clearInterval(cleaning);
      await background.settle();
      mailer.close();
    },
  };
}

function toAuthError(cause: unknown, { method, url }: HttpRequest, log: (line: string) => void): AuthError {
  if (cause instanceof AuthError) return cause;
  log(`auth: ${method} ${url.split("?", 1)[0]} failed: ${describe(cause)}`);
  if (cause instanceof DatabaseUnavailableError) {
    return new AuthError(503, "unexpected_failure", "The database can't be reached", {
      headers: { "retry-after": "1" },
    });
  }
  return new AuthError(
    500,
    "unexpected_failure",
    "Unexpected failure, please check server logs for more information",
  );
}

/** Where and what kind, without the message: that of a database error quotes values. */
function describe(cause: unknown): string {
  if (!(cause instanceof Error)) return "a thrown value";
  const { code, constraint } = cause as { code?: string; constraint?: string };
  const place = cause.stack?.split("\n").find((line) => line.includes("/backend/")) ?? "";
  return [cause.name, code, constraint, place.trim()].filter(Boolean).join(" ");
}
