import * as v from "valibot";
import { type Act, asPerson, recorded } from "../../audit/recorded.ts";
import { validationFailed } from "../../auth-error.ts";
import { changePasskey, deletePasskey, passkeyIdOf } from "../../passkeys/change-passkey.ts";
import { listPasskeys, toPasskeyJson } from "../../passkeys/passkey-row.ts";
import { requireProvedPasskeyOwner } from "../../passkeys/require-passkey-owner.ts";
import type { Call, Reply } from "../../requests/call.ts";
import { readBody, text } from "../../requests/read-body.ts";
import type { AuthService } from "../../service/auth-service.ts";
import { requirePermanentUser } from "../../sessions/require-user.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";

const MAX_NAME_LENGTH = 120;

/** GET /passkeys */
export async function listOwnPasskeys(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requirePermanentUser(call, service);
  return { status: 200, body: (await listPasskeys(service.database.query, user.id)).map(toPasskeyJson) };
}

const Naming = v.object({ friendly_name: text });

/** PATCH /passkeys/{id} */
export async function renamePasskey(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requirePermanentUser(call, service);
  const { friendly_name: name } = readBody(call.request, Naming);
  if (name === "") throw validationFailed("friendly_name is required");
  if ([...name].length > MAX_NAME_LENGTH) {
    throw validationFailed(`friendly_name must be ${MAX_NAME_LENGTH} characters or less`);
  }
  const rename = `
    update auth.webauthn_credentials set friendly_name = $3, updated_at = now()
    where id = $1 and user_id = $2 returning *`;
  const id = passkeyIdOf(call);
  const actor = asPerson(user, call.client);
  const act: Act = { action: "passkey_updated", actor, traits: { passkey_id: id } };
  const row = await service.database.transaction((query) =>
    changePasskey(query, recorded(act, rename, [id, user.id, name])),
  );
  return { status: 200, body: toPasskeyJson(row) };
}

/** DELETE /passkeys/{id} */
export async function removePasskey(call: Call, service: AuthService): Promise<Reply> {
  const { user } = await requireProvedPasskeyOwner(call, service);
  const notice = await service.database.transaction(async (query) => {
    await deletePasskey(query, user.id, asPerson(user, call.client), call);
    return createOwnerNotice(service.config, query, user, { kind: "passkey_removed" });
  });
  sendNotice(service, notice);
  return { status: 204 };
}
