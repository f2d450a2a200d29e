import type { Log } from "#backend/log/log.ts";
import { type LogText, logText } from "#backend/log/log-text.ts";
import type { Query } from "#backend/postgres/database.ts";
import type { AdminTabId } from "#domain/notices/admin-tab.ts";
import { describeNotice, type Notice } from "#domain/notices/describe-notice.ts";
import { escapeXml } from "#domain/text/xml.ts";
import { runRegularly } from "./run-regularly.ts";

const LOOK_EVERY_MS = 60_000;
const ANSWERS_WITHIN_MS = 10_000;

type MailFrame = Pick<Options, "siteUrl" | "siteName">;

type Options = {
  /** The operator's webhook in Discord's format; null for none. It contains a secret, so it is never logged. */
  webhook: string | null;
  /** Base of the links. */
  siteUrl: string;
  siteName: string;
  every?: number;
};

/** A notice as a Discord message, with mentions disabled whatever an item's name contains. */
export function composeNotice(notice: Notice, siteUrl: string) {
  const { text, tab } = describeNotice(notice);
  return {
    content: `${text}\n${linkTo(tab, siteUrl)}`.slice(0, 2000),
    allowed_mentions: { parse: [] },
  };
}

function linkTo(tab: AdminTabId | null, siteUrl: string): string {
  return `${siteUrl}/admin${tab ? `?tab=${tab}` : ""}`;
}

/** Several notices as one mail; item names appear as plain text. */
export function composeNoticeMail(notices: readonly Notice[], { siteUrl, siteName }: MailFrame) {
  const descriptions = notices.map((notice) => describeNotice(notice));
  const end = `You asked for this email; it comes at most once every six hours. Turn it off under News: ${siteUrl}/admin`;
  const lines = descriptions.map(({ text, tab }) => ({ text, link: linkTo(tab, siteUrl) }));
  return {
    subject:
      descriptions.length === 1
        ? `${siteName}: ${descriptions[0]?.text}`.slice(0, 200)
        : `${siteName}: ${descriptions.length} pieces of news`,
    text: [...lines.map(({ text, link }) => `${text}\n${link}`), end].join("\n\n"),
    html: [
      ...lines.map(({ text, link }) => `<p><a href="${escapeXml(link)}">${escapeXml(text)}</a></p>`),
      `<p>${escapeXml(end)}</p>`,
    ].join(""),
  };
}

/**
 * Records notices for editors, now and each minute, sends them to the webhook, and mails those who subscribed; returns
 * a function that stops it. Several processes may run this: each notice is recorded once and sent by one of them. A
 * failed notice is tried six times in all.
 * @param url of the database's owner
 */
export function notifyEditors(
  url: string,
  { webhook, siteUrl, siteName, every = LOOK_EVERY_MS }: Options,
  report: Log,
): () => Promise<void> {
  const onFailure = (why: LogText) =>
    report(logText`Editors could not be notified of news (${why}); retrying.`, "warn");
  const options = { url, applicationName: "notices", every, onFailure };
  return runRegularly(options, async (query, stopped) => {
    await query("select private.note_editor_news($1::boolean)", [String(webhook !== null)]);
    await queueMails(query, { siteUrl, siteName });
    if (webhook) await callWebhook(query, (notice) => post(webhook, composeNotice(notice, siteUrl), stopped));
  }).stop;
}

async function callWebhook(query: Query, tell: (notice: Notice) => Promise<void>): Promise<void> {
  for (;;) {
    const rows = await query(
      "select id, json_build_object('kind', kind, 'count', count, 'items', items) as notice from private.take_editor_notices()",
    );
    if (rows.length === 0) return;
    for (const { id, notice } of rows) {
      await tell(JSON.parse(notice ?? ""));
      await query(
        "update public.editor_notices set webhook_next_at = null, webhook_sent_at = now() where id = $1",
        [id ?? ""],
      );
    }
  }
}

/** The database decides who gets a mail, and ensures that each item of news is mailed once. */
async function queueMails(query: Query, frame: MailFrame): Promise<void> {
  for (const { user_id, up_to, notices } of await query("select * from private.find_notice_mails()")) {
    const { subject, text, html } = composeNoticeMail(JSON.parse(notices ?? ""), frame);
    const mail = [user_id ?? "", up_to ?? "", subject, text, html];
    await query("select private.queue_notice_mail($1, $2, $3, $4, $5)", mail);
  }
}

/** @throws an error that does not contain the address */
async function post(webhook: string, body: unknown, stopped: AbortSignal): Promise<void> {
  const answer = await fetch(webhook, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    redirect: "error",
    signal: AbortSignal.any([stopped, AbortSignal.timeout(ANSWERS_WITHIN_MS)]),
  }).catch(() => {
    throw new Error("the webhook can't be reached");
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook answered ${answer.status}`);
}
