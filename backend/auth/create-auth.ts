import { createBackgroundWork } from "#backend/http/background-work.ts";
import type { HttpHandler, HttpRequest, HttpResponse } from "#backend/http/http-message.ts";
import { jsonResponse } from "#backend/http/json-response.ts";
import { createRouter, mapRoutes } from "#backend/http/router.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";
import { type ProcessGroup, SINGLE_PROCESS } from "#backend/memory/process-group.ts";
import {
  type Database,
  DatabaseError,
  DatabaseUnavailableError,
  isExhausted,
} from "#backend/postgres/database.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import { AuthError, apiVersion, errorResponse, removedMeanwhile } from "./auth-error.ts";
import { cleanUp } from "./clean-up.ts";
import { routes } from "./endpoints/routes.ts";
import { createHooks } from "./hooks/create-hooks.ts";
import { createRateLimits } from "./limits/rate-limits.ts";
import { watchFailures } from "./limits/watch-failures.ts";
import type { Mailer } from "./messages/mailer.ts";
import { createOutgoingMailer, type OutgoingMail } from "./messages/outgoing-mail.ts";
import { createReportingSms } from "./messages/reporting-sms.ts";
import { createSmsHook, type SmsSender } from "./messages/sms-hook.ts";
import { createSmsResponses } from "./messages/sms-responses.ts";
import { createBreachCheck } from "./passwords/breached-passwords.ts";
import { createPasswordHasher } from "./passwords/password-hasher.ts";
import { createConnect } from "./provider-protocols/connect-provider.ts";
import { type Reply, readClient } from "./requests/call.ts";
import { deviceOf, notifiesOfDevices } from "./requests/device-of.ts";
import { MAX_BODY_BYTES } from "./requests/read-body.ts";
import { requireApiKey } from "./requests/require-api-key.ts";
import { type AuthConfig, defaultAuthConfig } from "./service/auth-config.ts";
import type { AuthService } from "./service/auth-service.ts";
import { createOwnTables, createWithoutTables, WITHOUT_TABLES } from "./service/own-tables.ts";
import { metadataTooLarge } from "./users/metadata.ts";

export type AuthOptions = Partial<AuthConfig> & {
  /** Connected as role `supabase_auth_admin`. */
  database: Database;
  signer: TokenSigner;
  /** Must know the signer's keys. */
  verifier: TokenVerifier;
  /** Null without a mail server; the operator's hook may send mails all the same. */
  mailer: Mailer | null;
  /** Queues mails until `deliver` has accepted them; without it, mails that cannot be sent at once are lost. */
  queue?: ((deliver: Mailer<OutgoingMail>) => Mailer<OutgoingMail>) | undefined;
  /** Defaults to the operator's hook; without either, no text messages are sent. */
  sms?: SmsSender | null;
  /** Signs refresh tokens and mailed codes; changing it ends every session. */
  secret: string;
  /**
   * Encrypt stored secrets, such as those of second factors: the first key seals, all of them unseal. Defaults to
   * `secret`.
   */
  sealingKeys?: readonly string[];
  /** Whether the database has the tables of schema `backend`; defaults to true. */
  keepsOwn?: boolean;
  /** The processes that this one takes turns with in hashing passwords; none by default. */
  processGroup?: ProcessGroup;
  /** Requests must carry an `apikey`, as at the hosted gateway. */
  requireApiKey: boolean;
  /** Receives a line for each failure that is not the caller's fault; it contains no personal data and no secret. */
  log: Log;
};

/** auth/v1: GoTrue's API on one database. `handle` never rejects: failures become error responses. */
export type Auth = HttpHandler & {
  /** Resolves when the work started after responses is done. */
  settle(): Promise<void>;
  close(): Promise<void>;
};

/** Maps each route to its name for the log. */
const ROUTE_NAMES = mapRoutes(routes, (_, route) => fromOperator(route));

const CLEAN_UP_EVERY_MS = 3_600_000;

export async function createAuth(options: AuthOptions): Promise<Auth> {
  const { log, processGroup = SINGLE_PROCESS } = options;
  const background = createBackgroundWork((cause) =>
    log(logText`auth: work after a response failed: ${describeCause(cause)}`, "error"),
  );
  const mailDesigns = await (options.loadMailDesigns ?? defaultAuthConfig.loadMailDesigns)();
  const service = createService({ ...options, mailDesigns }, background.run);
  const { config, database, verifier, mailer } = service;
  const find = createRouter(routes);
  const nameRoute = createRouter(ROUTE_NAMES);
  const reportCleanUp = (cause: unknown) =>
    log(logText`auth: a part of the clean-up failed: ${describeCause(cause)}`, "error");
  const cleaning = setInterval(
    () =>
      processGroup.isLeader &&
      background.run(() => cleanUp(database.query, config, reportCleanUp, service.own)),
    CLEAN_UP_EVERY_MS,
  ).unref();

  /** Not with `new URL`, which takes a path that begins with two slashes for a host, and throws if it is none. */
  function locate({ url }: HttpRequest) {
    const { path, query } = splitAddress(url);
    return { path: path.slice(config.basePath.length) || "/", query };
  }

  async function answer(request: HttpRequest): Promise<Reply> {
    const { path, query: asked } = locate(request);
    const query = new URLSearchParams(asked);
    const match = find(request.method, path);
    if (options.requireApiKey) await requireApiKey(request, query, path, verifier);
    if (!match) throw new AuthError(404, "not_found", "404 page not found");
    const device = notifiesOfDevices(config) ? deviceOf(request, service.secret) : null;
    const client = { ...readClient(request, config.addressHeader), device };
    return match.endpoint({ request, params: match.params, query, client }, service);
  }

  /** The route's pattern, without the values that the caller put into the path. */
  const routeOf = (request: HttpRequest) =>
    nameRoute(request.method, locate(request).path)?.endpoint ?? logText`a request`;

  return {
    async handle(request) {
      const version = apiVersion(request.headers);
      const response = await answer(request)
        .then(toResponse)
        .catch((cause) => errorResponse(toAuthError(cause, routeOf(request), log), version));
      if (version === null) return response;
      return { ...response, headers: { "x-supabase-api-version": version, ...response.headers } };
    },
    bodyAt: () => MAX_BODY_BYTES,
    settle: background.settle,
    async close() {
      clearInterval(cleaning);
      await background.settle();
      await mailer.close();
    },
  };
}

function createService(
  {
    sms: given = null,
    queue,
    keepsOwn = true,
    secret,
    sealingKeys,
    log,
    processGroup = SINGLE_PROCESS,
    requireApiKey: _,
    ...options
  }: AuthOptions,
  later: AuthService["later"],
): AuthService {
  const { database, signer, verifier, mailer, ...settings } = options;
  const own = keepsOwn ? createOwnTables(database) : createWithoutTables(database);
  const config: AuthConfig = { ...defaultAuthConfig, ...settings, ...(!keepsOwn && WITHOUT_TABLES) };
  const hooks = createHooks({ addresses: config.hooks, times: config.hookTimes, database, log });
  const deliver = createOutgoingMailer(mailer, hooks);
  const sms = given ?? (hooks.has("sendSms") ? createSmsHook(hooks) : null);
  const [sealingKey = secret, ...olderKeys] = sealingKeys ?? [];
  return {
    config,
    database,
    signer,
    verifier,
    hooks,
    mailer: queue ? queue(deliver) : deliver,
    sendsMail: mailer !== null || hooks.has("sendEmail"),
    sms:
      sms &&
      createReportingSms(sms, (cause) =>
        log(logText`auth: no text message could be sent: ${describeCause(cause)}`, "error"),
      ),
    smsResponses: createSmsResponses(),
    connect: createConnect(),
    metadataAttempts: new Map(),
    secret,
    sealingKeys: [sealingKey, ...olderKeys],
    reportMissingKey: once(() =>
      log(
        logText`auth: a second factor was encrypted with a key that is not configured. Add the old key to SEALING_KEY.`,
      ),
    ),
    passwords: createPasswordHasher(processGroup),
    isBreached: config.breaches && createBreachCheck(config.breaches, log),
    limits: createRateLimits(own.counts, limitsOf(config)),
    own,
    failures: watchFailures(log, processGroup),
    later,
    log,
  };
}

/** Mails that the operator's hook sends use up no quota of a mail server, and are not counted in the hosted service. */
function limitsOf({ limits, hooks }: AuthConfig): AuthConfig["limits"] {
  return hooks.sendEmail ? { ...limits, mailsSent: defaultAuthConfig.limits.mailsSent } : limits;
}

function toResponse({ status, body, text, headers }: Reply): HttpResponse {
  if (text !== undefined) return { status, headers: { ...headers }, body: text };
  if (body === undefined) return { status, headers: { "cache-control": "no-store", ...headers }, body: null };
  return jsonResponse(status, body, { "cache-control": "no-store", ...headers });
}

function toAuthError(cause: unknown, route: LogText, log: Log): AuthError {
  if (cause instanceof AuthError) return cause;
  if (cause instanceof DatabaseError && cause.constraint === "metadata_is_small") return metadataTooLarge();
  if (cause instanceof DatabaseError && cause.code === "23503") return removedMeanwhile(cause);
  // The database reports these two itself, once a minute, since every request meets the same full disk.
  if (cause instanceof DatabaseUnavailableError) return unavailable("The database can't be reached");
  if (cause instanceof DatabaseError && isExhausted(cause))
    return unavailable("The database has no room left");
  log(logText`auth: ${route} failed: ${describeCause(cause)}`, "error");
  return new AuthError(
    500,
    "unexpected_failure",
    "Unexpected failure, please check server logs for more information",
  );
}

function unavailable(message: string): AuthError {
  return new AuthError(503, "unexpected_failure", message, { headers: { "retry-after": "1" } });
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
