import * as v from "valibot";
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
  const [row] = await service.database.query(
    `update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
     where id = $1 and user_id = $2 returning *`,
    [passkeyIn(call), user.id, name],
  );
  if (!row) throw passkeyNotFound();
  return { status: 200, body: toPasskeyJson(row as PasskeyRow) };
}

/** DELETE /passkeys/{id} */
export async function removePasskey(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireRaisedKeeper(call, service);
  await deletePasskeyOf(user.id, call, service);
  return { status: 204 };
}

/** @throws AuthError 404 for anyone else's too */
export async function deletePasskeyOf(userId: string, call: Call, { database }: AuthService): Promise<void> {
  const removed = await database.query(
    "delete from auth.webauthn_credentials where id = $1 and user_id = $2 returning id",
    [passkeyIn(call), userId],
  );
  if (removed.length === 0) throw passkeyNotFound();
}

function passkeyIn({ params: { passkey = "" } }: Call): string {
  if (!isUuid(passkey)) throw passkeyNotFound();
  return passkey;
}

function passkeyNotFound(): AuthError {
  return new AuthError(404, "validation_failed", "Passkey not found");
}
