import type { Database } from "#backend/postgres/database.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { Incoming } from "./files/incoming.ts";
import type { ObjectStore } from "./files/object-store.ts";
import type { StorageConfig } from "./storage-config.ts";

/** What the endpoints stand on. */
export type StorageService = {
  config: StorageConfig;
  /** As the authenticator: each request takes its own role. */
  database: Database;
  verifier: TokenVerifier;
  store: ObjectStore;
  incoming: Incoming;
  /** Keys the signatures of addresses. */
  secret: string;
  /** Goes on after the answer; what fails is logged, and the sweeper makes up for it. */
  later(work: () => Promise<void>): void;
};
