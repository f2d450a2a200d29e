import { button, codePart, composeMail, paragraph } from "./mail-page.ts";
import type { MailMessage } from "./mailer.ts";

/** Also the `type` of the link in the mail. */
export type MailKind = "signup" | "invite" | "magiclink" | "recovery" | "email_change" | "reauthentication";

type Texts = { subject: string; why: string; action: string | null };

const texts: Record<MailKind, (site: string, newEmail: string) => Texts> = {
  signup: (site) => ({
    subject: `Confirm your email address for ${site}`,
    why: `An account at ${site} was created with this address. Please confirm that it is yours:`,
    action: "Confirm my address",
  }),
  invite: (site) => ({
    subject: `You are invited to ${site}`,
    why: `You are invited to create an account at ${site}. Accept the invitation:`,
    action: "Accept the invitation",
  }),
  magiclink: (site) => ({
    subject: `Sign in to ${site}`,
    why: `Someone asked to sign in to ${site} with this address. If it was you, continue here:`,
    action: "Sign in",
  }),
  recovery: (site) => ({
    subject: `Choose a new password for ${site}`,
    why: `Someone asked for a new password for your account at ${site}. If it was you, continue here:`,
    action: "Choose a new password",
  }),
  // Names the new address, so that the reader does not confirm a stranger's.
  email_change: (site, newEmail) => ({
    subject: `Confirm the new email address of your account at ${site}`,
    why: `The email address of an account at ${site} is about to be changed to ${newEmail}. Confirm that you want this:`,
    action: "Confirm the change",
  }),
  reauthentication: (site) => ({
    subject: `Your code for ${site}`,
    why: `Enter this code at ${site} to confirm that it is you:`,
    action: null,
  }),
};

type Content = {
  to: string;
  code: string;
  link: string;
  newEmail?: string;
  siteName: string;
  /** Seconds for which the code is valid. */
  otpExpiry: number;
};

export function writeMail(kind: MailKind, content: Content): MailMessage {
  const { to, code, link, newEmail, siteName, otpExpiry } = content;
  const { subject, why, action } = texts[kind](siteName, newEmail ?? to);
  return composeMail(to, subject, [
    paragraph(why),
    ...(action ? [button(link, action), codePart(code, "Or enter this code:")] : [codePart(code)]),
    paragraph(`It works once, for ${describeSeconds(otpExpiry)}.`),
    paragraph(
      `If this was not you, ignore this email and nothing will happen. Nobody from ${siteName} will ever ask you for this code.`,
    ),
    paragraph(siteName),
  ]);
}

function describeSeconds(seconds: number): string {
  const [amount, unit] =
    seconds % 3600 === 0 ? [seconds / 3600, "hour"] : [Math.round(seconds / 60), "minute"];
  return amount === 1 ? `one ${unit}` : `${amount} ${unit}s`;
}
