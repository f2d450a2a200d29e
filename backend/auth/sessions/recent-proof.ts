import { AuthError } from "../auth-error.ts";
import { countGuess } from "../limits/account-limits.ts";
import { takeToken, tokenOf } from "../one-time-codes/one-time-token.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { SignedIn } from "./require-user.ts";

declare const proof: unique symbol;

/**
 * A user who recently proved that the account is theirs. Everything that changes credentials requires one, and only
 * `requireRecentProof` creates one: a token alone may be stolen.
 */
export type Proved<Person extends SignedIn = SignedIn> = Person & { readonly [proof]: true };

const DAY = 24 * 3600;

type Options = {
  /** The code that `GET /reauthenticate` mailed. */
  nonce?: string;
  isPassword?: boolean;
};

/**
 * Requires a recent sign-in or second factor, or a mailed code.
 * @throws AuthError 400 `reauthentication_needed`, 422 for a wrong code
 */
export async function requireRecentProof<Person extends SignedIn>(
  person: Person,
  service: Pick<AuthService, "config" | "database" | "secret" | "limits">,
  { nonce = "", isPassword = false }: Options = {},
): Promise<Proved<Person>> {
  if (!isRecent(person, service.config, isPassword)) await takeNonce(person, nonce, isPassword, service);
  return person as Proved<Person>;
}

/**
 * Whether no further proof is needed. The hosted service requires one only for a new password, and counts from the
 * start of the session.
 */
export function isRecent({ user, session }: SignedIn, config: AuthConfig, isPassword = false): boolean {
  // An anonymous user has no credential to prove, and no address to mail a code to.
  if (user.is_anonymous === "t") return true;
  const { accountGuard, reauthenticateForPassword } = config;
  if (accountGuard) return Number(session.proof_age ?? Number.POSITIVE_INFINITY) < accountGuard.proofSeconds;
  return !isPassword || !reauthenticateForPassword || Number(session.age) < DAY;
}

async function takeNonce(
  { user }: SignedIn,
  nonce: string,
  isPassword: boolean,
  { config, database, secret, limits }: Pick<AuthService, "config" | "database" | "secret" | "limits">,
): Promise<void> {
  if (nonce === "") {
    const message = isPassword
      ? "Password update requires reauthentication"
      : "This requires reauthentication: sign in again first";
    throw new AuthError(400, "reauthentication_needed", message);
  }
  await countGuess(limits, user.id);
  const token = tokenOf(user.email || user.phone || "", nonce, secret);
  const taken = await takeToken(database.query, ["reauthentication_token"], [token], config);
  if (taken?.userId !== user.id) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
  await database.query("update auth.users set reauthentication_sent_at = null where id = $1", [user.id]);
}
