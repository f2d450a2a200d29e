import type { AuthService } from "../service/auth-service.ts";
import type { OwnerNotice } from "./owner-notice.ts";

/** Sends after the response: the change is committed whether or not the notice arrives. */
export function sendNotice(service: AuthService, notice: OwnerNotice | null): void {
  if (!notice) return;
  const { later, mailer, sms, limits, config } = service;
  later(async () => {
    if ("mail" in notice) await mailer.send(notice.mail);
    else if (sms && !config.smsTestCodes[notice.text.phone]) {
      // Each text message costs the operator money, and the owner of a number can change the account any number of
      // times.
      await limits.take("accountNoticeSms", notice.text.phone);
      await sms.send(notice.text);
    }
  });
}
