import { deletePasskey } from "../../../passkeys/change-passkey.ts";
import { listPasskeys, toPasskeyJson } from "../../../passkeys/passkey-row.ts";
import { requirePasskeys } from "../../../passkeys/require-passkey-owner.ts";
import type { Call, Reply } from "../../../requests/call.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { requireAccount } from "./manage-user.ts";

/** GET /admin/users/{id}/passkeys */
export async function listAccountPasskeys(call: Call, service: AuthService): Promise<Reply> {
  requirePasskeys(service);
  const { user } = await requireAccount(call, service);
  return { status: 200, body: (await listPasskeys(service.database.query, user.id)).map(toPasskeyJson) };
}

/** DELETE /admin/users/{id}/passkeys/{passkey}: for a person who lost it. */
export async function deleteAccountPasskey(call: Call, service: AuthService): Promise<Reply> {
  requirePasskeys(service);
  const { user, operator } = await requireAccount(call, service);
  await deletePasskey(user.id, operator, call, service);
  return { status: 204 };
}
