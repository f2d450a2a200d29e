import { button, composeMail, type Part, paragraph } from "./mail-page.ts";
import type { MailMessage } from "./mailer.ts";

/** A change to an account that its owner is notified of. */
export type Notice =
  | { kind: "email"; newEmail: string }
  | { kind: "recovery_code"; remaining: number }
  | { kind: "phone"; newPhone: string }
  | { kind: "factor" | "factor_removed"; factorType: string }
  | { kind: "identity" | "identity_removed"; provider: string }
  | { kind: "device"; at: Date }
  | { kind: "password" | "passkey" | "passkey_removed" | "recovery_codes" };
export type NoticeKind = Notice["kind"];

/** The names in configuration variables: the hosted service's, or our own if it has no such notice. */
export const NOTICE_NAMES: Record<NoticeKind, string> = {
  email: "EMAIL_CHANGED",
  phone: "PHONE_CHANGED",
  password: "PASSWORD_CHANGED",
  identity: "IDENTITY_LINKED",
  identity_removed: "IDENTITY_UNLINKED",
  factor: "MFA_FACTOR_ENROLLED",
  factor_removed: "MFA_FACTOR_UNENROLLED",
  passkey: "PASSKEY_ADDED",
  passkey_removed: "PASSKEY_REMOVED",
  device: "NEW_DEVICE",
  recovery_code: "RECOVERY_CODE_USED",
  recovery_codes: "RECOVERY_CODES_MADE",
};

type Texts = [subject: string, what: string];

function describe(notice: Notice, site: string): Texts {
  const account = `your account at ${site}`;
  switch (notice.kind) {
    case "email":
      return [
        `The email address of ${account} was changed`,
        `The email address of ${account} is now ${notice.newEmail}.`,
      ];
    case "phone":
      return [`The phone number of ${account} was changed`, `The phone number of ${account} was changed.`];
    case "password":
      return [`The password of ${account} was changed`, `Your account at ${site} has a new password.`];
    case "passkey":
      return [
        `A passkey was added to ${account}`,
        `Your account at ${site} can now be opened with a new passkey.`,
      ];
    case "identity":
      return [
        `Another way to sign in was added to ${account}`,
        `Your account at ${site} can be opened through another service from now on.`,
      ];
    case "factor":
      return [
        `A second factor was added to ${account}`,
        `Signing in to ${account} asks for a new second factor.`,
      ];
    case "device":
      return [
        `A new device signed in to ${account}`,
        `Your account at ${site} was signed in to on ${describeTime(notice.at)}, from a device or browser that it did not know yet.`,
      ];
    case "factor_removed":
      return [
        `A second factor was removed from ${account}`,
        `A second factor of ${account} was removed, so signing in no longer asks for it.`,
      ];
    case "passkey_removed":
      return [
        `A passkey was removed from ${account}`,
        `A passkey was removed from ${account} and no longer opens it.`,
      ];
    case "identity_removed":
      return [
        `A way to sign in was removed from ${account}`,
        `A way to sign in was removed from ${account} and no longer opens it.`,
      ];
    case "recovery_code":
      return [
        `A recovery code opened ${account}`,
        `A recovery code was used in place of the second factor of ${account}. ${notice.remaining} are left.`,
      ];
    case "recovery_codes":
      return [
        `New recovery codes were made for ${account}`,
        `New recovery codes were made for ${account}. The old ones no longer work.`,
      ];
  }
}

function describeTime(at: Date): string {
  return at.toLocaleString("en-US", { dateStyle: "medium", timeStyle: "long", timeZone: "UTC" });
}

type Content = { to: string; link: string | null; siteName: string };

/**
 * The notice as a text message, for accounts without an email address: one short sentence without a link, since sender
 * numbers can be forged.
 */
export function writeTextNotice(notice: Notice, siteName: string): string {
  const [subject] = describe(notice, siteName);
  return `${subject}. If that was not you, choose a new password now.`;
}

/** Describes a change already made, and how to undo it if there is a `link`. */
export function writeNotice(notice: Notice, { to, link, siteName }: Content): MailMessage {
  const [subject, what] = describe(notice, siteName);
  return composeMail(to, subject, [
    paragraph(what),
    paragraph("If that was you, there is nothing you need to do."),
    ...(link === null ? [paragraph("If it was not you, choose a new password now.")] : takeBack(link)),
    paragraph(siteName),
  ]);
}

function takeBack(link: string): Part[] {
  return [
    paragraph(
      "If it was not you, take your account back: this restores this address, ends all sessions, and lets you choose a new password.",
    ),
    button(link, "Take my account back"),
    paragraph("The link works once, for 7 days. Do not share it with anyone."),
  ];
}
