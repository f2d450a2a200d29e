import type { Log } from "#backend/log/log.ts";
import type { Database } from "#backend/postgres/database.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { Hooks } from "../hooks/create-hooks.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { FailureWatch } from "../limits/watch-failures.ts";
import type { Mailer } from "../messages/mailer.ts";
import type { OutgoingMail } from "../messages/outgoing-mail.ts";
import type { SmsSender } from "../messages/sms-hook.ts";
import type { SmsResponses } from "../messages/sms-responses.ts";
import type { BreachCheck } from "../passwords/breached-passwords.ts";
import type { PasswordHasher } from "../passwords/password-hasher.ts";
import type { Connect } from "../provider-protocols/connect-provider.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { OwnTables } from "./own-tables.ts";

/** The first key seals; all of them unseal, so that data sealed with an older key stays readable. */
export type SealingKeys = readonly [string, ...string[]];

/** The dependencies passed to every endpoint. */
export type AuthService = {
  config: AuthConfig;
  database: Database;
  signer: TokenSigner;
  verifier: TokenVerifier;
  passwords: PasswordHasher;
  /** Null if breach lists are not checked. */
  isBreached: BreachCheck | null;
  limits: RateLimits;
  own: OwnTables;
  failures: FailureWatch;
  hooks: Hooks;
  mailer: Mailer<OutgoingMail>;
  /** Whether there is a mail server or hook. */
  sendsMail: boolean;
  /** Null if no text messages can be sent. */
  sms: SmsSender | null;
  smsResponses: SmsResponses;
  /** Discovers other services' endpoints and keys. */
  connect: Connect;
  /** By an identity provider's id: when an attempt to fetch its metadata began that has not succeeded. */
  metadataAttempts: Map<string, number>;
  /** Key for signing refresh tokens and mailed codes. */
  secret: string;
  /** For encrypting secrets that must be read back. */
  sealingKeys: SealingKeys;
  /** Logs, once, that a value was sealed with a key that is not configured. */
  reportMissingKey(): void;
  /**
   * Runs `work` after the response. Where timing must not reveal whether an account exists, the work for existing
   * accounts runs here. Failures are logged.
   */
  later(work: () => Promise<void>): void;
  /** Log for the operator; never log secrets or personal data. */
  log: Log;
};
