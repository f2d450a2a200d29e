import type { Actor } from "../../audit/recorded.ts";
import { countText, takeText } from "../../limits/account-limits.ts";
import { prepareText, requireSms } from "../../one-time-codes/text-code.ts";
import type { AuthService } from "../../service/auth-service.ts";
import type { Proved } from "../../sessions/recent-proof.ts";
import { changeAddress } from "../../users/change-address.ts";
import { createOwnerNotice } from "../../users/owner-notice.ts";
import { sendNotice } from "../../users/send-notice.ts";
import { refuseTaken } from "../../users/taken-address.ts";
import type { AccountChange } from "./account-change.ts";

/**
 * Sends a code to the new number, which replaces the old one once confirmed; immediately if no confirmation is
 * required.
 */
export async function requestPhoneChange(
  service: AuthService,
  { user }: Proved,
  phone: string,
  actor: Actor,
): Promise<AccountChange> {
  const { config, database, limits } = service;
  if (config.smsAutoconfirm) {
    if (!config.phoneEnabled) requireSms(service, phone);
    await refuseTaken(database.query, { phone });
    return async (query) => {
      await changeAddress(query, user.id, "phone", phone, { action: "user_modified", actor }, "accepted");
      const notice = await createOwnerNotice(config, query, user, { kind: "phone", newPhone: phone });
      return () => sendNotice(service, notice);
    };
  }
  requireSms(service, phone);
  // Counted before the number is looked up, so that nobody can text a list of strangers or find out which have
  // accounts.
  await countText(limits, user.id);
  await refuseTaken(database.query, { phone });
  await takeText(limits, phone);
  return async (query) => {
    const text = "update auth.users set phone_change = $2, updated_at = now() where id = $1";
    await query(text, [user.id, phone]);
    return prepareText(service, query, user, { actor, tokenType: "phone_change_token", phone });
  };
}
