import type { AuthService } from "../service/auth-service.ts";
import type { OwnerNotice } from "./way-back.ts";

/** After the response: the change is committed, whether or not the notice arrives. */
export function sendNotice(service: AuthService, notice: OwnerNotice | null): void {
  if (!notice) return;
  const { later, mailer, sms, limits, config } = service;
  later(async () => {
    if ("mail" in notice) await mailer.send(notice.mail);
    else if (sms && !config.smsTestCodes[notice.text.phone]) {
      // Each costs the operator money, and whoever owns a number may change the account as often as they like.
      await limits.take("accountNoticeSms", notice.text.phone);
      await sms.send(notice.text);
    }
  });
}
