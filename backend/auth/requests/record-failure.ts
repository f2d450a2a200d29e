import { asPerson, entryOf, type Named } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { Client } from "./call.ts";

/**
 * Logs a failed sign-in to a known account, after the response, since timing must not reveal whether the account
 * exists. A global daily limit keeps a flood from filling the audit log.
 */
export function recordFailure(
  { database, limits, later }: AuthService,
  findPerson: () => Promise<Named | null | undefined>,
  { client, by }: { client: Client; by: string },
): void {
  later(async () => {
    const person = await findPerson();
    if (!person) return;
    try {
      await limits.take("failureEntries", "all");
    } catch (refusal) {
      if (refusal instanceof AuthError) return;
      throw refusal;
    }
    await database.query(
      ...entryOf({ action: "login_failed", actor: asPerson(person, client), traits: { provider: by } }),
    );
  });
}
