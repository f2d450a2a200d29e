import { escapeHtml } from "./mail-template.ts";
import type { MailMessage } from "./mailer.ts";

/** One part of a mail, in both formats. */
export type Part = { text: string; html: string };

const BUTTON =
  "display:inline-block;padding:12px 20px;border-radius:8px;background:#1f2937;color:#ffffff;text-decoration:none";
const BODY =
  "margin:0 auto;padding:24px;max-width:480px;font-family:sans-serif;font-size:16px;line-height:1.5";
const CODE = "font-size:24px;letter-spacing:4px;font-family:monospace";

/** A mail as plain text and as equivalent HTML. */
export function composeMail(to: string, subject: string, parts: Part[]): MailMessage {
  const head = `<meta charset="utf-8"><title>${escapeHtml(subject)}</title>`;
  const body = parts.map(({ html }) => html).join("");
  return {
    to,
    subject,
    text: parts.map(({ text }) => text).join("\n\n"),
    html: `<!doctype html><html lang="en"><head>${head}</head><body style="${BODY}">${body}</body></html>`,
  };
}

export function paragraph(text: string): Part {
  return { text, html: `<p>${escapeHtml(text)}</p>` };
}

export function button(link: string, action: string): Part {
  const html = `<p><a href="${escapeHtml(link)}" style="${BUTTON}">${escapeHtml(action)}</a></p>`;
  return { text: link, html };
}

export function codePart(code: string, label = ""): Part {
  return {
    text: `${label} ${code}`.trim(),
    html: `<p>${label} <strong style="${CODE}">${code}</strong></p>`,
  };
}
