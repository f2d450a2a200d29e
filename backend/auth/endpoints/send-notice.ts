import type { MailMessage } from "../messages/mailer.ts";
import type { AuthService } from "../service/auth-service.ts";

/** After the response: the change is committed, whether or not the mail arrives. */
export function sendNotice({ later, mailer }: AuthService, mail: MailMessage | null): void {
  if (mail) later(() => mailer.send(mail));
}
