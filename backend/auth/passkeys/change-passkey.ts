import type { Query } from "#backend/postgres/database.ts";
import { type Act, type Actor, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Call } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { PasskeyRow } from "./passkey-row.ts";

/**
 * Deletes the user's passkey named in the path, in a transaction.
 * @throws AuthError 404, also for another user's passkey
 */
export async function deletePasskey(query: Query, userId: string, actor: Actor, call: Call): Promise<void> {
  const id = passkeyIdOf(call);
  const act: Act = { action: "passkey_deleted", actor, traits: { user_id: userId, passkey_id: id } };
  const text = "delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning *";
  await changePasskey(query, recorded(act, text, [id, userId]));
}

/** Changes the passkey and writes the audit entry, in a transaction that has to fail if there is no such passkey. */
export async function changePasskey(
  query: Query,
  [text, values]: ReturnType<typeof recorded>,
): Promise<PasskeyRow> {
  const [row] = await query(text, values);
  if (!row) throw passkeyNotFound();
  return row as PasskeyRow;
}

export function passkeyIdOf({ params: { passkey = "" } }: Call): string {
  if (!isUuid(passkey)) throw passkeyNotFound();
  return passkey;
}

function passkeyNotFound(): AuthError {
  return new AuthError(404, "validation_failed", "Passkey not found");
}
