import type { Database } from "#backend/postgres/database.ts";
import type { OutgoingMail } from "./outgoing-mail.ts";

/** A mail claimed by one process. */
export type QueuedMail = { id: string; message: OutgoingMail; tries: number; isOld: boolean };

type LossReason = "refused" | "given up" | "no room";

/** Pending mails in table `backend.mail_queue`, shared by all processes. */
export type MailQueue = {
  /** Resolves with false if the queue is full, and records the loss. */
  add(message: OutgoingMail): Promise<boolean>;
  /** Claims up to `limit` due mails; other processes skip them for the next minutes. */
  take(limit: number): Promise<QueuedMail[]>;
  /** Notifies the sending process to check the queue immediately. */
  tellOthers(): Promise<void>;
  /** Deletes a mail, including the secrets in it. */
  remove(id: string): Promise<void>;
  /** Deletes a mail that cannot be delivered, and records the loss. */
  giveUp(id: string, why: LossReason): Promise<void>;
  putBack(id: string, seconds: number): Promise<void>;
};

/** Also used by database code that adds mails to the queue itself. */
export const MAIL_CHANNEL = "backend_mail";
/** Bounds a flood before the disk is full. */
const MAX_QUEUED = 10_000;
const GIVEN_UP_AFTER = "1 day";
/** Longer than sending may take: mails claimed by a process that died are retried after this. */
const TAKEN_FOR = "5 minutes";
/** Longer than any pause: a later time was written before the clock was set back. */
const AT_MOST_LATER = "2 hours";
const NOTE_LOSS = "insert into backend.lost_mails (why) values ($1)";
const FORGET_LOSSES = "old as (delete from backend.lost_mails where lost_at < now() - interval '30 days')";

export function createMailQueue({ query }: Pick<Database, "query">): MailQueue {
  return {
    async add(message) {
      const rows = await query(
        `insert into backend.mail_queue (message)
         select $1::jsonb where (select count(*) from backend.mail_queue) < ${MAX_QUEUED} returning id`,
        [JSON.stringify(message)],
      );
      if (rows.length === 0) await query(`with ${FORGET_LOSSES} ${NOTE_LOSS}`, ["no room"]);
      return rows.length > 0;
    },
    async take(limit) {
      const rows = await query(
        `with due as (
           select id from backend.mail_queue
           where next_try_at <= now() or next_try_at > now() + interval '${AT_MOST_LATER}'
           order by next_try_at limit $1 for update skip locked
         )
         update backend.mail_queue as mail set tries = tries + 1, next_try_at = now() + interval '${TAKEN_FOR}'
         from due where mail.id = due.id
         returning mail.id, mail.message, mail.tries, mail.created_at < now() - interval '${GIVEN_UP_AFTER}' as old`,
        [String(limit)],
      );
      return rows.map(({ id, message, tries, old }) => ({
        id: id ?? "",
        message: JSON.parse(message ?? ""),
        tries: Number(tries),
        isOld: old === "t",
      }));
    },
    tellOthers: async () => void (await query(`select pg_notify('${MAIL_CHANNEL}', '')`)),
    remove: async (id) => void (await query("delete from backend.mail_queue where id = $1", [id])),
    giveUp: async (id, why) =>
      void (await query(
        `with gone as (delete from backend.mail_queue where id = $2), ${FORGET_LOSSES} ${NOTE_LOSS}`,
        [why, id],
      )),
    putBack: async (id, seconds) =>
      void (await query(
        "update backend.mail_queue set next_try_at = now() + make_interval(secs => $2) where id = $1",
        [id, String(seconds)],
      )),
  };
}
