import type { Client } from "../requests/call.ts";
import type { AuthService } from "../service/auth-service.ts";

/** Tries of a person's codes from one network. */
export type Guesses = {
  /** Counts one. @throws AuthError 429 */
  take(): Promise<void>;
  /** A code was right: the counts start anew. */
  reset(): Promise<void>;
};

/**
 * Five a minute for weeks would find six digits, so there is a daily limit, from all networks together. A stranger with the
 * password may use that up, but not for the person on a network from where a code was right before.
 */
export function guessesOf(
  { limits, database }: Pick<AuthService, "limits" | "database">,
  userId: string,
  { network }: Pick<Client, "network">,
): Guesses {
  const fromHere = `${userId} ${network ?? ""}`;
  const known = { action: "accountKnownNetwork", key: `factor ${fromHere}` } as const;
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
