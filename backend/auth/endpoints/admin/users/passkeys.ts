import { deletePasskey } from "../../../passkeys/change-passkey.ts";
import { listPasskeys, toPasskeyJson } from "../../../passkeys/passkey-row.ts";
import type { Reply } from "../../../requests/call.ts";
import type { AdminCall } from "../../../requests/require-admin.ts";
import type { AuthService } from "../../../service/auth-service.ts";
import { requireAccount } from "./manage-user.ts";

/** GET /admin/users/{id}/passkeys */
export async function listAccountPasskeys(call: AdminCall, service: AuthService): Promise<Reply> {
  const user = await requireAccount(call, service);
  return { status: 200, body: (await listPasskeys(service.database.query, user.id)).map(toPasskeyJson) };
}

/** DELETE /admin/users/{id}/passkeys/{passkey}: for a user who lost it. */
export async function deleteAccountPasskey(call: AdminCall, service: AuthService): Promise<Reply> {
  const { id } = await requireAccount(call, service);
  await service.database.transaction((query) => deletePasskey(query, id, call.operator, call));
  return { status: 204 };
}
