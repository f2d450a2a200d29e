import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Transporter } from "nodemailer";
import { fromOperator, type LogText, logText } from "#backend/log/log-text.ts";

export type MailMessage = {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** Recipient of replies, if not the sender. */
  replyTo?: { name: string; address: string };
};

export type Mailer<What = MailMessage> = {
  /** Rejects if the mail was not accepted; `id` is the same for every attempt at one mail. */
  send(message: What, id?: string): Promise<void>;
  close(): void | Promise<void>;
};

export type Sender = { name: string; address: string };

// Some servers delay their greeting, since spammers do not wait for it; nodemailer counts that time as connecting.
const TIMEOUTS = { connectionTimeout: 60_000, greetingTimeout: 60_000, socketTimeout: 60_000 };

/** Sends through the operator's server: `smtps://user:password@host:465`. */
export function createSmtpMailer(url: string, from: Sender): Mailer {
  const transport = openOnce(() => connectTo(url, from));
  return {
    send: async (message) => void (await (await transport.open()).sendMail(addressed(message))),
    close: transport.close,
  };
}

/** Connects and signs in without sending anything; rejects if the server accepts no mail from here. */
export async function checkSmtp(url: string): Promise<void> {
  const transport = await connectTo(url);
  await transport.verify().finally(() => transport.close());
}

/**
 * Writes .eml files, which any mail program can open, into a folder. The logged line contains no personal data and no
 * code.
 */
export function createOutboxMailer(folder: string, from: Sender, report: (line: LogText) => void): Mailer {
  const transport = openOnce(async () =>
    (await import("nodemailer")).createTransport({ streamTransport: true, buffer: true }, { from }),
  );
  return {
    async send(message) {
      const { message: content } = await (await transport.open()).sendMail(addressed(message));
      const name = `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID().slice(0, 8)}.eml`;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), content as Buffer, { mode: 0o600 });
      report(logText`A mail was written to ${fromOperator(join(folder, name))}: SMTP_URL is not set.`);
    },
    close: transport.close,
  };
}

/** One recipient, however the address is written: as text, nodemailer takes it for a list with names, groups and comments. */
const addressed = ({ to, ...message }: MailMessage) => ({ ...message, to: { name: "", address: to } });

async function connectTo(url: string, from?: Sender) {
  return (await import("nodemailer")).createTransport({ ...TIMEOUTS, url }, { from });
}

/** Opened with the first mail: a start that loads nodemailer too takes longer. */
function openOnce<Sent>(open: () => Promise<Transporter<Sent>>) {
  let opened: Promise<Transporter<Sent>> | undefined;
  // Not kept if it fails, as with too many files open: the next mail tries again.
  const tryOpen = () =>
    open().catch((error) => {
      opened = undefined;
      throw error;
    });
  return {
    open: () => (opened ??= tryOpen()),
    close: async () => (await opened)?.close(),
  };
}
