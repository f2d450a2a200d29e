import * as v from "valibot";
import { type Act, type Actor, asPerson, recorded } from "../audit/recorded.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthService } from "../auth-service.ts";
import type { Call, Reply } from "../requests/call.ts";
import { readBody, text } from "../requests/read-body.ts";
import { isUuid } from "../requests/uuid.ts";
import { listPasskeys, type PasskeyRow, toPasskeyJson } from "./passkey-row.ts";
import { requireKeeper, requireRaisedKeeper } from "./require-keeper.ts";

const MAX_NAME_LENGTH = 120;

/** GET /passkeys */
export async function listOwnPasskeys(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireKeeper(call, service);
  return { status: 200, body: (await listPasskeys(service.database.query, user.id)).map(toPasskeyJson) };
}

const Naming = v.object({ friendly_name: text });

/** PATCH /passkeys/{id} */
export async function renamePasskey(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireKeeper(call, service);
  const { friendly_name: name } = readBody(call.request, Naming);
  if (name === "") throw validationFailed("friendly_name is required");
  if (name.length > MAX_NAME_LENGTH) {
    throw validationFailed(`friendly_name must be ${MAX_NAME_LENGTH} characters or less`);
  }
  const rename = `
    update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
    where id = $1 and user_id = $2 returning *`;
  const id = passkeyIn(call);
  const act: Act = {
    action: "passkey_updated",
    actor: asPerson(user, call.client),
    traits: { passkey_id: id },
  };
  const row = await changeOne(service, recorded(act, rename, [id, user.id, name]));
  return { status: 200, body: toPasskeyJson(row) };
}

/** DELETE /passkeys/{id} */
export async function removePasskey(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireRaisedKeeper(call, service);
  await deletePasskeyOf(user.id, asPerson(user, call.client), call, service);
  return { status: 204 };
}

/** @throws AuthError 404 for anyone else's too */
export async function deletePasskeyOf(
  userId: string,
  actor: Actor,
  call: Call,
  service: AuthService,
): Promise<void> {
  const id = passkeyIn(call);
  const act: Act = { action: "passkey_deleted", actor, traits: { user_id: userId, passkey_id: id } };
  const text = "delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning *";
  await changeOne(service, recorded(act, text, [id, userId]));
}

/** Neither done nor recorded where there is no such passkey. */
function changeOne(
  { database }: AuthService,
  [text, values]: ReturnType<typeof recorded>,
): Promise<PasskeyRow> {
  return database.transaction(async (query) => {
    const [row] = await query(text, values);
    if (!row) throw passkeyNotFound();
    return row as PasskeyRow;
  });
}

function passkeyIn({ params: { passkey = "" } }: Call): string {
  if (!isUuid(passkey)) throw passkeyNotFound();
  return passkey;
}

function passkeyNotFound(): AuthError {
  return new AuthError(404, "validation_failed", "Passkey not found");
}
