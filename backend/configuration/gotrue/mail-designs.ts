import { readFile, stat } from "node:fs/promises";
import { type MailTemplate, readTemplate } from "#backend/auth/messages/mail-template.ts";
import type { MailKind } from "#backend/auth/messages/mail-templates.ts";
import { NOTICE_NAMES, type NoticeKind } from "#backend/auth/messages/notices.ts";
import type { AuthConfig, MailDesigns } from "#backend/auth/service/auth-config.ts";
import { fetchBounded } from "#backend/http/fetch-bounded.ts";
import { type Environment, refuse } from "../variables.ts";
import { flag, type SettingRows, text } from "./setting.ts";

export const mailDesignSettings = {
  loadMailDesigns: readDesigns,
  notifications: readNotifications,
} satisfies SettingRows;

const MAX_BYTES = 200_000;
const TIMEOUT_MS = 10_000;

const MAIL_NAMES: Record<MailKind, string> = {
  signup: "CONFIRMATION",
  invite: "INVITE",
  magiclink: "MAGIC_LINK",
  recovery: "RECOVERY",
  email_change: "EMAIL_CHANGE",
  reauthentication: "REAUTHENTICATION",
};
const notices = Object.entries(NOTICE_NAMES) as [NoticeKind, string][];
const NAMES = [
  ...(Object.entries(MAIL_NAMES) as [MailKind, string][]),
  ...notices.map(([kind, name]) => [kind, `${name}_NOTIFICATION`] as const),
];

/** Subjects are checked immediately; templates are files or URLs, read when the service starts. */
function readDesigns(environment: Environment): AuthConfig["loadMailDesigns"] | null {
  const found = NAMES.map(([kind, name]) => {
    const variable = `GOTRUE_MAILER_SUBJECTS_${name}`;
    const subject = text(variable)(environment);
    const source = text(`GOTRUE_MAILER_TEMPLATES_${name}`)(environment);
    return { kind, name, subject: subject === null ? null : toTemplate(variable, subject), source };
  }).filter(({ subject, source }) => subject !== null || source !== null);
  if (found.length === 0) return null;
  return async () => {
    const designs = found.map(async ({ kind, name, subject, source }) => [
      kind,
      {
        ...(subject && { subject }),
        ...(source !== null && { html: await loadTemplate(`GOTRUE_MAILER_TEMPLATES_${name}`, source) }),
      },
    ]);
    return Object.fromEntries(await Promise.all(designs)) as MailDesigns;
  };
}

async function loadTemplate(variable: string, source: string): Promise<MailTemplate> {
  const content = await (/^https?:/.test(source) ? download(source) : readBounded(source)).catch(() =>
    refuse(variable, `must name a file or an address that can be read, of ${MAX_BYTES} bytes at most`),
  );
  return toTemplate(variable, content);
}

async function download(url: string): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const { status, text: content } = await fetchBounded(url, { maxBytes: MAX_BYTES, signal });
  if (status !== 200) throw new Error(`status ${status}`);
  return content;
}

async function readBounded(path: string): Promise<string> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error("too large");
  return readFile(path, "utf8");
}

function toTemplate(variable: string, content: string): MailTemplate {
  const read = readTemplate(content);
  return "fault" in read ? refuse(variable, read.fault) : read;
}

function readNotifications(environment: Environment): AuthConfig["notifications"] | null {
  const switches = notices.flatMap(([kind, name]) => {
    const isOn = flag(`GOTRUE_MAILER_NOTIFICATIONS_${name}_ENABLED`)(environment);
    return isOn === null ? [] : [[kind, isOn]];
  });
  return switches.length > 0 ? Object.fromEntries(switches) : null;
}
