import { knownNetwork } from "../limits/account-limits.ts";
import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

/** Limits attempts at a user's codes from one network. */
export type Guesses = {
  /** Counts an attempt. @throws AuthError 429 */
  take(): Promise<void>;
  /** Resets the counts after a correct code. */
  reset(): Promise<void>;
};

/**
 * At five attempts a minute, six digits can be guessed within weeks, so there is also a daily limit across all
 * networks. A stranger with the password can exhaust it, but does not lock out the user on a network from which a code
 * was correct before.
 */
export function guessesOf(
  { limits, database }: Pick<AuthService, "limits" | "database">,
  userId: string,
  { network }: Pick<Client, "network">,
): Guesses {
  const fromHere = `${userId} ${network ?? ""}`;
  const known = knownNetwork(`factor ${userId}`, network);
  return {
    async take() {
      await limits.take("accountFactor", fromHere);
      try {
        await limits.take("accountFactorDay", userId);
      } catch (refusal) {
        if (!(await limits.knows(known))) throw refusal;
        await limits.take("accountFactorDay", fromHere);
      }
    },
    async reset() {
      const tries = [
        { action: "accountFactor", key: fromHere },
        { action: "accountFactorDay", key: userId },
        { action: "accountFactorDay", key: fromHere },
      ] as const;
      await database.run([limits.afterSuccess(known, tries)]);
    },
  };
}
