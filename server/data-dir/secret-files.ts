/** What DATA_DIR keeps that nobody could make again: the database and everybody's sessions hang on it. */
export const SECRET_FILES = ["jwt-secret", "postgres-password", "sealing-keys", "signing-keys.json"] as const;
