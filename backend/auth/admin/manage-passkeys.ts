import type { AuthService } from "../auth-service.ts";
import { deletePasskeyOf } from "../passkeys/manage-passkeys.ts";
import { listPasskeys, toPasskeyJson } from "../passkeys/passkey-row.ts";
import { requirePasskeys } from "../passkeys/require-keeper.ts";
import type { Call, Reply } from "../requests/call.ts";
import { requireAccount } from "./manage-user.ts";

/** GET /admin/users/{id}/passkeys */
export async function listAccountPasskeys(call: Call, service: AuthService): Promise<Reply> {
  requirePasskeys(service);
  const { user } = await requireAccount(call, service);
  return { status: 200, body: (await listPasskeys(service.database.query, user.id)).map(toPasskeyJson) };
}

/** DELETE /admin/users/{id}/passkeys/{passkey}: for somebody who lost it. */
export async function deleteAccountPasskey(call: Call, service: AuthService): Promise<Reply> {
  requirePasskeys(service);
  const { user, operator } = await requireAccount(call, service);
  await deletePasskeyOf(user.id, operator, call, service);
  return { status: 204 };
}
