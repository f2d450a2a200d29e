import type { AuthConfig } from "../auth-config.ts";
import type { MailMessage } from "./mailer.ts";

/** Also the `type` of the link in the mail. */
export type MailKind = "signup" | "invite" | "magiclink" | "recovery" | "email_change" | "reauthentication";

type Words = { subject: string; why: string; action: string | null };

const words: Record<MailKind, (site: string, newEmail: string) => Words> = {
  signup: (site) => ({
    subject: `Confirm your e-mail address for ${site}`,
    why: `An account at ${site} was made with this address. Confirm that it is yours:`,
    action: "Confirm my address",
  }),
  invite: (site) => ({
    subject: `You are invited to ${site}`,
    why: `You are invited to make an account at ${site}. Accept the invitation:`,
    action: "Accept the invitation",
  }),
  magiclink: (site) => ({
    subject: `Sign in to ${site}`,
    why: `Somebody asked to sign in to ${site} with this address. If it was you, go on:`,
    action: "Sign in",
  }),
  recovery: (site) => ({
    subject: `Choose a new password for ${site}`,
    why: `Somebody asked for a new password for your account at ${site}. If it was you, go on:`,
    action: "Choose a new password",
  }),
  // Which one it is to be, so that nobody agrees to somebody else's.
  email_change: (site, newEmail) => ({
    subject: `Confirm the new e-mail address of your account at ${site}`,
    why: `The e-mail address of an account at ${site} is to be changed to ${newEmail}. Confirm that you want this:`,
    action: "Confirm the change",
  }),
  reauthentication: (site) => ({
    subject: `Your code for ${site}`,
    why: `Type this code in at ${site} to confirm that it is you:`,
    action: null,
  }),
};

type Content = { to: string; code: string; link: string; newEmail?: string; config: AuthConfig };

/** The mail of a kind, as plain text and as HTML that says the same. */
export function writeMail(kind: MailKind, { to, code, link, newEmail, config }: Content): MailMessage {
  const { subject, why, action } = words[kind](config.siteName, newEmail ?? to);
  const expiry = `It works once, for ${describeSeconds(config.otpExpiry)}.`;
  const ignore = "If you know nothing of this, ignore this mail: nothing happens without it.";
  const never = `Nobody from ${config.siteName} will ever ask you for this code.`;
  return {
    to,
    subject,
    text: [
      why,
      ...(action ? [link, `Or type in this code: ${code}`] : [code]),
      expiry,
      `${ignore} ${never}`,
      config.siteName,
    ].join("\n\n"),
    html: page(subject, [
      paragraph(why),
      action ? `<p><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(action)}</a></p>` : "",
      `<p>${action ? "Or type in this code:" : ""} <strong style="${CODE}">${code}</strong></p>`,
      paragraph(expiry),
      paragraph(`${ignore} ${never}`),
      paragraph(config.siteName),
    ]),
  };
}

const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#1f2937;color:#ffffff;text-decoration:none";
const CODE = "font-size:24px;letter-spacing:4px;font-family:monospace";
const BODY =
  "margin:0 auto;padding:24px;max-width:480px;font-family:sans-serif;font-size:16px;line-height:1.5";

function page(title: string, parts: string[]): string {
  const head = `<meta charset="utf-8"><title>${escapeHtml(title)}</title>`;
  return `<!doctype html><html lang="en"><head>${head}</head><body style="${BODY}">${parts.join("")}</body></html>`;
}

function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

function describeSeconds(seconds: number): string {
  const [amount, unit] =
    seconds % 3600 === 0 ? [seconds / 3600, "hour"] : [Math.round(seconds / 60), "minute"];
  return amount === 1 ? `one ${unit}` : `${amount} ${unit}s`;
}
