import { type Act, type Actor, recorded } from "../audit/recorded.ts";
import { AuthError } from "../auth-error.ts";
import type { Call } from "../requests/call.ts";
import { isUuid } from "../requests/uuid.ts";
import type { AuthService } from "../service/auth-service.ts";
import type { PasskeyRow } from "./passkey-row.ts";

/** Deletes the user's passkey named in the path. @throws AuthError 404, also for another user's passkey */
export async function deletePasskey(
  userId: string,
  actor: Actor,
  call: Call,
  service: AuthService,
): Promise<void> {
  const id = passkeyIdOf(call);
  const act: Act = { action: "passkey_deleted", actor, traits: { user_id: userId, passkey_id: id } };
  const text = "delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning *";
  await changePasskey(service, recorded(act, text, [id, userId]));
}

/** Changes the passkey and writes the audit entry; rolls back both if there is no such passkey. */
export function changePasskey(
  { database }: AuthService,
  [text, values]: ReturnType<typeof recorded>,
): Promise<PasskeyRow> {
  return database.transaction(async (query) => {
    const [row] = await query(text, values);
    if (!row) throw passkeyNotFound();
    return row as PasskeyRow;
  });
}

export function passkeyIdOf({ params: { passkey = "" } }: Call): string {
  if (!isUuid(passkey)) throw passkeyNotFound();
  return passkey;
}

function passkeyNotFound(): AuthError {
  return new AuthError(404, "validation_failed", "Passkey not found");
}
