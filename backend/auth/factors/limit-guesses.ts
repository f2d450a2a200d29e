import type { AuthService } from "../auth-service.ts";
import type { Client } from "../requests/call.ts";

/** Tries of a person's codes, from where they are made. */
export type Guesses = {
  /** Counts one. @throws AuthError 429 */
  take(): Promise<void>;
  /** A code was right: it starts anew. */
  forget(): Promise<void>;
};

/**
 * Five a minute for weeks would find six digits, so there are so many a day, from wherever. A stranger with the password
 * may use those up: not for the person, from where a code of theirs was right before.
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
    async forget() {
      const tries = [
        { action: "accountFactor", key: fromHere },
        { action: "accountFactorDay", key: userId },
        { action: "accountFactorDay", key: fromHere },
      ] as const;
      await database.run([limits.afterSuccess(known, tries)]);
    },
  };
}
