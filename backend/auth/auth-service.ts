import type { Database } from "#backend/postgres/database.ts";
import type { TokenSigner } from "#backend/tokens/token-signer.ts";
import type { TokenVerifier } from "#backend/tokens/token-verifier.ts";
import type { AuthConfig } from "./auth-config.ts";
import type { RateLimits } from "./limits/rate-limits.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SmsSender } from "./phone/sms-hook.ts";

/** What the endpoints stand on. */
export type AuthService = {
  config: AuthConfig;
  database: Database;
  signer: TokenSigner;
  verifier: TokenVerifier;
  passwords: PasswordHasher;
  limits: RateLimits;
  mailer: Mailer;
  /** Null where nobody sends text messages. */
  sms: SmsSender | null;
  /** Keys the signatures of refresh tokens and mailed codes. */
  secret: string;
  /**
   * Goes on after the answer: where an answer must not tell by its time whether an account exists, the work that only
   * an existing one causes is done behind it. What fails is logged.
   */
  later(work: () => Promise<void>): void;
};
