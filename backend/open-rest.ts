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

/** rest/v1 that can be told to go on as configured otherwise, without a request going amiss. */
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
      // What it knows of the database is read before requests need it; where that fails, they will say so. Both listen for a
      // while, so that no notification falls between them.
      await Promise.all([fresh.schema().catch(() => {}), fresh.listens()]);
      const former = current;
      current = fresh;
      await former.close();
    },
  };
}
