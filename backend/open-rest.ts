import type { Log } from "#backend/log/log.ts";
import type { Database } from "#backend/postgres/database.ts";
import { createRest, type Rest } from "#backend/rest/create-rest.ts";
import type { RestConfig } from "#backend/rest/rest-config.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";

type RestSources = {
  database: Database;
  verifier: TokenVerifier;
  requireApiKey: boolean;
  log?: Log | undefined;
};

/** rest/v1 whose configuration can be replaced without failing requests in flight. */
export type OpenRest = Rest & { replace(config: RestConfig, verifier: TokenVerifier): Promise<void> };

export function openRest(config: RestConfig, sources: RestSources): OpenRest {
  let current = createRest({ ...config, ...sources });
  return {
    handle: (request) => current.handle(request),
    bodyAt: (url) => current.bodyAt(url),
    schema: () => current.schema(),
    loaded: () => current.loaded(),
    listens: () => current.listens(),
    reload: () => current.reload(),
    close: () => current.close(),
    async replace(next, verifier) {
      const fresh = createRest({ ...next, ...sources, verifier });
      // Load the schema cache before requests need it; if that fails, requests will report it. Both instances listen
      // for a while, so that no notification is missed in between.
      await Promise.all([fresh.schema().catch(() => {}), fresh.listens()]);
      const former = current;
      current = fresh;
      await former.close();
    },
  };
}
