import type { Query } from "#backend/postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import { countGuess } from "../limits/account-limits.ts";
import { findToken, takeToken, tokenOf } from "../one-time-codes/one-time-token.ts";
import type { AuthConfig } from "../service/auth-config.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { SignedIn } from "./require-user.ts";

declare const proof: unique symbol;

/**
 * A user who recently proved that the account is theirs. Everything that changes credentials requires one, and only the
 * functions below create one: a token alone may be stolen.
 */
export type Proved<Person extends SignedIn = SignedIn> = Person & { readonly [proof]: true };

const DAY = 24 * 3600;

/** Requires a recent sign-in or second factor. @throws AuthError 400 `reauthentication_needed` */
export async function requireRecentProof<Person extends SignedIn>(
  person: Person,
  { config }: Pick<AuthService, "config">,
): Promise<Proved<Person>> {
  if (!isRecent(person, config)) throw reauthenticationNeeded(false);
  return person as Proved<Person>;
}

/** The code that `GET /reauthenticate` mailed; empty without one. */
type Code = { nonce: string; isPassword: boolean };

/**
 * Also accepts a mailed code. `spendCode` belongs to the transaction of the changes, so that a refused one does not
 * spend the code.
 * @throws AuthError 400 `reauthentication_needed`, 422 for a wrong code
 */
export async function requireProofOrCode<Person extends SignedIn>(
  person: Person,
  service: Pick<AuthService, "config" | "database" | "secret" | "limits">,
  { nonce, isPassword }: Code,
): Promise<{ proved: Proved<Person>; spendCode: (query: Query) => Promise<null> }> {
  const { config, database, secret, limits } = service;
  const { user } = person;
  const proved = person as Proved<Person>;
  if (isRecent(person, config, isPassword)) return { proved, spendCode: async () => null };
  if (nonce === "") throw reauthenticationNeeded(isPassword);
  await countGuess(limits, user.id);
  const token = tokenOf(user.email || user.phone || "", nonce, secret);
  const require = async (query: Query, read: typeof takeToken) => {
    const found = await read(query, ["reauthentication_token"], [token], config);
    if (found?.userId === user.id) return;
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  };
  await require(database.query, findToken);
  return {
    proved,
    async spendCode(query) {
      await require(query, takeToken);
      await query("update auth.users set reauthentication_sent_at = null where id = $1", [user.id]);
      return null;
    },
  };
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

function reauthenticationNeeded(isPassword: boolean): AuthError {
  const message = isPassword
    ? "Password update requires reauthentication"
    : "This requires reauthentication: sign in again first";
  return new AuthError(400, "reauthentication_needed", message);
}
