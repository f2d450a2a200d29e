import { createBackend } from "#backend/backend.ts";
import type { ServiceSettings } from "#backend/configuration/service-settings.ts";
import type { Environment } from "#backend/configuration/variables.ts";
import { closeServer } from "#backend/http/close-server.ts";
import {
  createGuardedServer,
  GUARDS,
  type GuardedServerOptions,
  takeUpgrades,
} from "#backend/http/guarded-server.ts";
import type { HttpHandler, HttpRequest } from "#backend/http/http-message.ts";
import { splitAddress } from "#backend/http/split-address.ts";
import { toNode } from "#backend/http/to-node.ts";
import type { Log } from "#backend/log/log.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { errorResponse } from "#backend/rest/api-error.ts";
import { unsupportedMethod } from "#backend/rest/request/parse-request.ts";
import { createRouteNames } from "#backend/route-names.ts";
import { adminListener } from "./admin-server.ts";
import { listen } from "./listen.ts";
import type { LoadedSettings } from "./load-settings.ts";
import { isLogged } from "./log-level.ts";
import { describeMissingParts } from "./missing-parts.ts";
import { createReloads } from "./reloads.ts";
import { standaloneOptions } from "./standalone-options.ts";

/** The running services, without the site. */
export type StandaloneBackend = {
  url: string;
  /** Where `/live` and `/ready` are served; null without an admin port. */
  adminUrl: string | null;
  /** Reloads the configuration, for SIGUSR2 and `notify pgrst, 'reload config'`; an invalid one changes nothing. */
  reloadConfig(): Promise<void>;
  /** Reloads the schema, for SIGUSR1. */
  reloadSchema(): Promise<void>;
  /** Stops after pending requests. */
  close(): Promise<void>;
};

export type StandaloneSources = {
  /** Reads the current settings; without it, they never change. */
  load?: () => Promise<LoadedSettings>;
  /** The variables that the settings were read from. */
  variables?: Environment;
  /** Called when the database is lost and the settings disable recovery. */
  onLost?: () => void;
};

/**
 * Serves any PostgreSQL database as PostgREST would: rest at `/`, and at `/rest/v1` for clients that use that path; or
 * accounts alone as GoTrue would, at `/` and at `/auth/v1`. In addition to rest, `GOTRUE_DB_DATABASE_URL` enables auth
 * at `/auth/v1`, `STORAGE_BACKEND` storage at `/storage/v1`, `REALTIME_ENABLED` realtime at `/realtime/v1` (its private
 * channels need the accounts' schema), and `FUNCTIONS_FOLDER` functions at `/functions/v1`. Creates nothing in the
 * database but the schema `backend` for accounts, and logs what a service misses there. Rejects if a port is taken.
 */
export async function serveStandalone(
  settings: ServiceSettings,
  log: Log,
  { load, variables = {}, onLost }: StandaloneSources = {},
): Promise<StandaloneBackend> {
  const reloads = createReloads({ settings, variables }, log, load);
  const options = await standaloneOptions(settings, log, { onLost, onReloadConfig: reloads.onNotified });
  const backend = await createBackend(options);
  reloads.take(backend, options);
  for (const missing of await describeMissingParts(settings)) log(fromOperator(missing), "warn");
  if (settings.auth && !backend.revokesSessions())
    log(
      logText`The database has no table backend.revocations: tokens stay valid until they expire, even if their session ends.`,
      "warn",
    );
  if (backend.feedFault)
    log(logText`realtime: live changes are unavailable: ${fromOperator(backend.feedFault)}`, "warn");
  const handler = logged(backend, settings, log);
  const { requestIdHeader } = settings;
  const main = createGuardedServer(toNode(handler, log), GUARDS, {
    requestIdHeader,
    ...methodRefusal(settings),
  });
  if (settings.realtime) takeUpgrades(main, backend.upgrade, GUARDS, requestIdHeader);
  const admin =
    settings.adminPort === null ? null : createGuardedServer(adminListener(main, backend, reloads.config));
  const close = async () => {
    await Promise.all([main, admin].map((server) => server && closeServer(server, backend.closeSockets)));
    await backend.close();
  };
  try {
    const url = await listen(main, settings.socket ?? settings);
    backend.servedAt(url);
    // Before the first request, so that what is wrong with the schemas is logged at the start.
    void backend.rest?.schema.current().catch(() => {});
    const adminPlace = { port: settings.adminPort as number, host: settings.adminHost };
    return {
      url,
      adminUrl: admin && (await listen(admin, adminPlace)),
      reloadConfig: reloads.reload,
      reloadSchema: async () => backend.rest?.schema.reload(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Rest, being at the root, says that a method is unknown, even if Node refuses to pass it on. */
function methodRefusal({ rest }: ServiceSettings): Pick<GuardedServerOptions, "refuseMethod"> {
  if (rest === null) return {};
  return { refuseMethod: (method) => errorResponse(unsupportedMethod(method), rest.errorVerbosity) };
}

/**
 * Logs a line for each response that the level includes. Query strings are omitted, as they may contain private data.
 */
function logged(handler: HttpHandler, { logLevel: level, rest }: ServiceSettings, log: Log): HttpHandler {
  const nameRoute = createRouteNames();
  // Paths at the root are rest's, or those of accounts served alone.
  const root = rest ? "/rest/v1" : "/auth/v1";
  const nameOf = ({ method, url }: HttpRequest, status: number) =>
    nameRoute(method, splitAddress(url).path.replace(/^(?!\/\w+\/v1\b)/, root), status);
  return {
    bodyAt: handler.bodyAt,
    async handle(request) {
      const response = await handler.handle(request);
      if (isLogged(response.status, level)) {
        const severity = response.status >= 500 ? "error" : response.status >= 400 ? "warn" : "info";
        log(
          logText`${fromOperator(request.method)} ${nameOf(request, response.status)} ${response.status}`,
          severity,
        );
      }
      return response;
    },
  };
}
