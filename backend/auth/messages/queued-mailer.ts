import type { Log } from "#backend/log/log.ts";
import { fromOperator, type LogText, logText, quoteScrubbed } from "#backend/log/log-text.ts";
import { traced } from "#backend/log/traced.ts";
import { coalesceRuns } from "#backend/memory/coalesce-runs.ts";
import { withTimeout } from "#backend/memory/with-timeout.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { SILENT_AFTER_MS } from "#backend/postgres/keep-alive.ts";
import { listenWhenUp } from "#backend/postgres/listen.ts";
import { AuthError } from "../auth-error.ts";
import { isHookRefusal } from "../hooks/hook-faults.ts";
import { createMailQueue, MAIL_CHANNEL, type QueuedMail } from "./mail-queue.ts";
import type { Mailer } from "./mailer.ts";
import { type OutgoingMail, titleOf } from "./outgoing-mail.ts";

export type QueuedMailerOptions = {
  /** Connects as role `supabase_auth_admin`. */
  databaseUrl: string;
  /** False if another process sends the mails; defaults to true. */
  handsOn?: boolean;
  /** Delivers the mails. */
  deliver: Mailer<OutgoingMail>;
  /** Receives a line for each mail that is late or lost; it contains no personal data and no code. */
  log: Log;
  /** Seconds until the next attempt, given the number of attempts so far. */
  pause?: (tries: number) => number;
  /** Milliseconds between checks for due mails, including those queued by other processes. */
  lookEvery?: number;
  /** As in `DatabaseOptions`. */
  answerTimeout?: number;
};

const MAIL = () => ({ name: logText`mail send`, facts: {} });
const LONGEST_PAUSE = 3600;
const LOOK_EVERY_MS = 10_000;
const AT_A_TIME = 8;
/** Before the queue hands it out again (`TAKEN_FOR`), however many of a mail server's answers are slow. */
const SENT_WITHIN_MS = 4 * 60_000;
/** As long as a stop gives to requests in progress; a mail that is not sent by then is still queued. */
const ENDS_WITHIN_MS = 10_000;

/** Half a minute, doubling each time up to an hour. */
const growingPause = (tries: number) => Math.min(30 * 2 ** (tries - 1), LONGEST_PAUSE);

/**
 * Keeps each mail in the database until a mail server or the operator's hook has accepted it, so that none is lost if
 * either is down or the process ends. After a day, or if the server rejects the recipient or mail permanently, the mail
 * is dropped and a line logged. Several processes share the work.
 */
export function createQueuedMailer(options: QueuedMailerOptions): Mailer<OutgoingMail> {
  const { deliver, log, handsOn = true, pause = growingPause, lookEvery = LOOK_EVERY_MS } = options;
  const { databaseUrl: url, answerTimeout = SILENT_AFTER_MS } = options;
  const database = connectDatabase({ url, max: 1, answerTimeout, applicationName: "mail", report: log });
  const queue = createMailQueue(database);
  const subscription = listenWhenUp(database, MAIL_CHANNEL, look);
  const runs = coalesceRuns(deliverAll);
  const underWay = new Set<Promise<void>>();
  let isClosed = false;

  async function deliverQueued({ id, message, tries, isOld }: QueuedMail): Promise<void> {
    const name = logText`Mail ${fromOperator(id)} (${quoteScrubbed(titleOf(message))})`;
    try {
      await traced(MAIL, () => withTimeout(deliver.send(message, id), SENT_WITHIN_MS, noAnswer));
    } catch (cause) {
      const why = describe(cause);
      if (isForGood(cause)) {
        log(logText`${name} was rejected permanently and discarded: ${why}.`, "warn");
        return await queue.giveUp(id, "refused");
      }
      if (isOld) {
        log(logText`${name} was discarded after a day and ${tries} attempts: ${why}.`, "error");
        return await queue.giveUp(id, "given up");
      }
      if (tries === 1) log(logText`${name} is queued and will be retried for a day: ${why}.`, "warn");
      return await queue.putBack(id, pause(tries));
    }
    await queue.remove(id);
  }

  /** Begins with all that are due; one that takes long holds up no other. */
  async function deliverAll(): Promise<void> {
    while (!isClosed) {
      if (underWay.size >= AT_A_TIME) await Promise.race(underWay);
      if (isClosed) return;
      const mails = await queue.take(AT_A_TIME - underWay.size);
      if (mails.length === 0) return;
      for (const mail of mails) {
        const delivery: Promise<void> = deliverQueued(mail)
          .catch(() => {})
          .finally(() => underWay.delete(delivery));
        underWay.add(delivery);
      }
    }
  }

  async function finish(): Promise<void> {
    await runs.underWay()?.catch(() => {});
    await Promise.all(underWay);
  }

  /** Errors are ignored: a database outage is reported elsewhere, and the mails are still queued afterwards. */
  function look(): void {
    if (isClosed || !handsOn) return;
    subscription.ensure();
    runs.next().catch(() => {});
  }

  const timer = setInterval(look, lookEvery).unref();
  if (handsOn) subscription.ensure();
  return {
    async send(message) {
      const hasRoom = await queue.add(message);
      if (hasRoom) await (handsOn ? look() : queue.tellOthers());
      else
        log(logText`Mail (${quoteScrubbed(titleOf(message))}) was discarded: too many are queued.`, "error");
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      await subscription.close();
      await withTimeout(finish(), ENDS_WITHIN_MS, () => {});
      await deliver.close();
      await database.close();
    },
  };
}

/** As nodemailer tells it. */
const noAnswer = () => Promise.reject(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" }));

type MailFault = { code?: string; responseCode?: number; command?: string; message?: string };

/**
 * The server responded with 5xx to the recipient or the mail itself. A rejected login or sender is not permanent, since
 * the operator can fix it.
 */
function isForGood(cause: unknown): boolean {
  if (isHookRefusal(cause)) return true;
  const { responseCode = 0, command = "" } = cause as MailFault;
  return responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command);
}

/** Omits the server's message, which may repeat addresses. */
function describe(cause: unknown): LogText {
  if (cause instanceof AuthError)
    return logText`the hook send-email failed (${cause.status} ${fromOperator(cause.code)})`;
  const { code, responseCode, command, message = "" } = cause as MailFault;
  // Node's message, as no server has answered yet.
  if (!responseCode && /certificate/i.test(message))
    return logText`the mail server's certificate is not trusted (${quoteScrubbed(message)})`;
  const answer = responseCode
    ? logText`the mail server answered ${responseCode}`
    : code === "ETIMEDOUT"
      ? logText`the mail server does not answer`
      : logText`the mail server cannot be reached`;
  const details = [code, command].filter(Boolean).join(" at ");
  return details ? logText`${answer} (${quoteScrubbed(details)})` : answer;
}
