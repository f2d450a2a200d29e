import type { Log } from "#backend/log/log.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { Hooks } from "../hooks/create-hooks.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { FailureWatch } from "../limits/watch-failures.ts";
import type { Letter } from "../messages/letter.ts";
import type { Mailer } from "../messages/mailer.ts";
import type { SmsSender } from "../messages/sms-hook.ts";
import type { SmsResponses } from "../messages/sms-responses.ts";
import type { BreachCheck } from "../passwords/breached-passwords.ts";
import type { PasswordHasher } from "../passwords/password-hasher.ts";
import type { Connect } from "../provider-protocols/connect-provider.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { OwnTables } from "./own-tables.ts";

/** The first one seals, each of them opens: what an older one sealed stays readable. */
export type SealingKeys = readonly [string, ...string[]];

/** What every endpoint gets. */
export type AuthService = {
  config: AuthConfig;
  database: Database;
  signer: TokenSigner;
  verifier: TokenVerifier;
  passwords: PasswordHasher;
  /** Null where no list of breaches is asked. */
  refuseBreached: BreachCheck | null;
  limits: RateLimits;
  own: OwnTables;
  failures: FailureWatch;
  hooks: Hooks;
  mailer: Mailer<Letter>;
  /** Null where no text messages can be sent. */
  sms: SmsSender | null;
  smsResponses: SmsResponses;
  /** Finds other services' addresses and keys. */
  connect: Connect;
  /** Keys the signatures of refresh tokens and mailed codes. */
  secret: string;
  /** Seal what must be read back. */
  sealingKeys: SealingKeys;
  /** Logs, once, that something was sealed by a key that is not configured. */
  reportMissingKey(): void;
  /**
   * Runs after the response: where its time must not reveal whether an account exists, the work that only an existing one
   * causes is done here. Failures are logged.
   */
  later(work: () => Promise<void>): void;
  /** For what the operator should know; never a secret, never a person. */
  log: Log;
};
