import { type Auth, type AuthOptions, createAuth } from "#backend/auth/create-auth.ts";
import { defaultAuthConfig } from "#backend/auth/service/auth-config.ts";
import { describeCause } from "#backend/log/describe-cause.ts";
import { fromOperator, logText } from "#backend/log/log-text.ts";
import { type ProcessGroup, shareOf } from "#backend/memory/process-group.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { ensureOwnSchema } from "#backend/schema/ensure-own-schema.ts";
import { deriveKey } from "#backend/tokens/derive-key.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { BackendOptions } from "./backend-options.ts";

export type AuthSettings = NonNullable<BackendOptions["auth"]>;

/** Which users' tokens are accepted: by default only those that this service issued. */
export function issuedBy({ isIssuer, ...settings }: AuthSettings) {
  if (isIssuer === null) return undefined;
  const { audience, issuer, externalUrl } = { ...defaultAuthConfig, ...settings };
  const isOwn = (named: string) => named === (issuer ?? externalUrl);
  return { audience, isIssuer: isIssuer ?? isOwn };
}

/** Maximum number of connections in total, and minimum per process. */
const CONNECTIONS = 10;
const LEAST_CONNECTIONS = 3;

type Shared = Pick<AuthOptions, "verifier" | "requireApiKey" | "keepsOwn"> & {
  processGroup: ProcessGroup;
  signer: TokenSigner | null;
  answerTimeout: number | undefined;
};

/** auth/v1 with its own connection pool. */
export async function openAuth(
  {
    databaseUrl,
    directUrl,
    databaseConnections = CONNECTIONS,
    isIssuer: _,
    requireRevocations: __,
    ...options
  }: AuthSettings,
  jwtSecret: BackendOptions["jwtSecret"],
  { signer, answerTimeout, ...shared }: Shared,
): Promise<Auth & { diskFailed(): boolean }> {
  if (!signer || typeof jwtSecret !== "string") throw new TypeError("auth/v1 needs a text as secret");
  const database = connectDatabase({
    url: databaseUrl,
    prepared: !directUrl,
    max: shareOf(databaseConnections, shared.processGroup, LEAST_CONNECTIONS),
    applicationName: "auth",
    answerTimeout,
    report: options.log,
  });
  const auth = await createAuth({
    ...options,
    ...shared,
    signer,
    secret: deriveKey(jwtSecret, "auth"),
    sealingKeys: [...(options.sealingKeys ?? []), jwtSecret].map((key) => deriveKey(key, "auth")),
    database,
  });
  return {
    ...auth,
    diskFailed: database.diskFailed,
    async close() {
      await auth.close();
      await database.close();
    },
  };
}

/** Whether the database has the auth service's own tables; creates missing ones. */
export async function keepsOwnTables({
  databaseUrl,
  directUrl = databaseUrl,
  log,
}: AuthSettings): Promise<boolean> {
  const fault = await ensureOwnSchema(directUrl).catch((cause: unknown) => {
    // Not fatal: an unreachable database may come back.
    log(logText`auth: the schema "backend" could not be read: ${describeCause(cause)}`, "warn");
    return null;
  });
  if (fault !== null) log(logText`auth: ${fromOperator(fault)}`, "warn");
  return fault === null;
}
