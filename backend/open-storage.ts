import { join } from "node:path";
import type { readStorageSettings } from "#backend/configuration/storage-settings.ts";
import type { Log } from "#backend/log/log.ts";
import { createStorage, type Storage, type StorageOptions } from "#backend/storage/create-storage.ts";
import { openStore } from "#backend/storage/files/open-store.ts";
import type { S3Keys } from "#backend/storage/storage-service.ts";
import { deriveAccessKey, deriveKey } from "#backend/tokens/derive-key.ts";
import { signToken } from "#backend/tokens/sign-token.ts";
import type { BackendOptions } from "./backend-options.ts";

type StorageSettings = ReturnType<typeof readStorageSettings>;

/** Options from the settings that upstream has too; files are in `folder`, or in S3. */
export async function storageOptions(
  { s3, s3AccessKey, fileSizeLimit }: StorageSettings,
  workFolder: string,
  log: Log,
): Promise<NonNullable<BackendOptions["storage"]>> {
  return {
    workFolder,
    store: await openStore(join(workFolder, "files"), s3),
    log,
    ...(fileSizeLimit !== null && { fileSizeLimit }),
    ...(s3AccessKey && { s3Keys: { accessKeys: [s3AccessKey], sessionSecrets: [] } }),
  };
}

/** storage/v1 with the options shared by all services, and its keys derived from the one secret. */
export async function openStorage(
  { addressHeader = null, jwtSecret, publishableKey }: BackendOptions,
  options: NonNullable<BackendOptions["storage"]>,
  shared: Pick<StorageOptions, "processGroup" | "database" | "verifier">,
): Promise<Storage> {
  if (!jwtSecret) throw new TypeError("storage/v1 needs a secret");
  const secret = deriveKey(jwtSecret, "storage");
  const s3Keys = await collectKeys(jwtSecret, publishableKey, options.s3Keys);
  return createStorage({ addressHeader, ...options, ...shared, secret, s3Keys });
}

/** An access key derived from the secret, and the public API keys that this backend's own commands print. */
async function collectKeys(
  jwtSecret: NonNullable<BackendOptions["jwtSecret"]>,
  publishableKey: BackendOptions["publishableKey"],
  more: Partial<S3Keys> = {},
): Promise<S3Keys> {
  const anonymous = [{ iss: "supabase", role: "anon" }, { role: "anon" }];
  const secret = typeof jwtSecret === "string" ? jwtSecret : null;
  const anonKeys =
    secret === null ? [] : await Promise.all(anonymous.map((claims) => signToken(claims, secret)));
  return {
    accessKeys: [deriveAccessKey(jwtSecret), ...(more.accessKeys ?? [])],
    sessionSecrets: [
      ...anonKeys,
      ...(publishableKey ? [publishableKey] : []),
      ...(more.sessionSecrets ?? []),
    ],
  };
}
