/** Files in DATA_DIR that cannot be recreated: the database and all sessions depend on them. */
export const SECRET_FILES = ["jwt-secret", "postgres-password", "sealing-keys", "signing-keys.json"] as const;

/** Secrets can only be written under these names, so that backups include all of them. */
export type SecretFile = (typeof SECRET_FILES)[number];
