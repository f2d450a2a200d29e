/** What DATA_DIR keeps that nobody could make again: the database and everybody's sessions hang on it. */
export const SECRET_FILES = ["jwt-secret", "postgres-password", "sealing-keys", "signing-keys.json"] as const;

/** Only of these a secret can be written, so that none is left out of a backup. */
export type SecretFile = (typeof SECRET_FILES)[number];
