import type { MailMessage } from "./mailer.ts";

/** Variables of an operator's template, such as `{{ .Email }}`; `.Data` is the account's metadata. */
export type TemplateValues = Partial<Record<TemplateVariable, string>> & { Data?: Record<string, unknown> };

const VARIABLES = [
  "ConfirmationURL",
  "Token",
  "TokenHash",
  "SiteURL",
  "RedirectTo",
  "Email",
  "NewEmail",
  "OldEmail",
  "SendingTo",
  "Phone",
  "OldPhone",
  "Provider",
  "FactorType",
] as const;
type TemplateVariable = (typeof VARIABLES)[number];

/**
 * A subject or body with placeholders. It contains no code: each placeholder is replaced by one value, escaped in HTML.
 */
export type MailTemplate = { readonly parts: readonly (string | TemplateHole)[] };
type TemplateHole = { name: TemplateVariable } | { data: string };

/** The parts of a mail that an operator can customize. */
export type MailDesign = { subject?: MailTemplate; html?: MailTemplate };

const HOLE = /\{\{-?\s*(.*?)\s*-?\}\}/s;

/** @returns the template, or a fault as the end of a sentence that begins with the variable's name */
export function readTemplate(text: string): MailTemplate | { fault: string } {
  const parts: (string | TemplateHole)[] = [];
  for (const [index, part] of text.split(new RegExp(HOLE, "gs")).entries()) {
    if (index % 2 === 0) {
      parts.push(part);
      continue;
    }
    const data = /^\.Data\.(\w+)$/.exec(part)?.[1];
    const name = VARIABLES.find((known) => part === `.${known}`);
    if (data !== undefined) parts.push({ data });
    else if (name) parts.push({ name });
    else {
      const known = VARIABLES.map((variable) => `.${variable}`).join(", ");
      return { fault: `names {{ ${part.slice(0, 50)} }}, which is none of ${known} and .Data.name` };
    }
  }
  return { parts };
}

/** Applies the operator's design to the default mail. */
export function applyMailDesign(
  ours: MailMessage,
  design: MailDesign | undefined,
  values: TemplateValues,
): MailMessage {
  if (!design) return ours;
  const subject = design.subject ? fill(design.subject, values, oneLine) : ours.subject;
  if (!design.html) return { ...ours, subject };
  const html = fill(design.html, values, escapeHtml);
  return { ...ours, subject, html, text: toText(html) };
}

function fill({ parts }: MailTemplate, values: TemplateValues, made: (text: string) => string): string {
  return parts.map((part) => (typeof part === "string" ? part : made(fillHole(part, values)))).join("");
}

function fillHole(hole: TemplateHole, values: TemplateValues): string {
  if ("name" in hole) return values[hole.name] ?? "";
  const { Data: data = {} } = values;
  const value = Object.hasOwn(data, hole.data) ? data[hole.data] : "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Prevents header injection from user-supplied values. */
const oneLine = (text: string) => text.replace(/[\r\n]+/g, " ");

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** A plain-text version of the operator's HTML: its text, and the URLs of its links. */
function toText(html: string): string {
  const bare = html
    .replace(/<(head|style|script|title)\b.*?<\/\1>/gis, "")
    .replace(/<a\b[^>]*\bhref\s*=\s*["']([^"']*)["'][^>]*>(.*?)<\/a>/gis, "$2\n$1\n")
    .replace(/<(?:br|\/p|\/div|\/h\d|\/li|\/tr)\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, "");
  const plain = bare.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => {
    return Object.keys(ENTITIES).find((character) => ENTITIES[character] === entity) as string;
  });
  return plain
    .replace(/[ \t]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}
