import { quoteScrubbed, type Sentence, sentence } from "#backend/log/sentence.ts";
import { connectDatabase } from "#backend/postgres/database.ts";
import { describeNotice, type Notice } from "#domain/notices/describe-notice.ts";

const LOOK_EVERY_MS = 60_000;
const ANSWERS_WITHIN_MS = 10_000;

type Options = {
  /** Of the operator's webhook in Discord's format; null for none. It holds a secret, so no line of the log names it. */
  webhook: string | null;
  /** Where links lead. */
  siteUrl: string;
  lookEvery?: number;
};

/** A notice as Discord takes it. Nobody is pinged, whatever an item is called. */
export function composeNotice(notice: Notice, siteUrl: string) {
  const { text, tab } = describeNotice(notice);
  return {
    content: `${text}\n${siteUrl}/admin${tab ? `?tab=${tab}` : ""}`.slice(0, 2000),
    allowed_mentions: { parse: [] },
  };
}

/**
 * Notes what editors should hear of, now and each minute, and tells the webhook; gives how to stop. Several processes may
 * do this: each notice is noted once, and told by one of them. One that fails is tried again, six times in all.
 * @param url of the database's owner
 */
export function tellEditors(
  url: string,
  { webhook, siteUrl, lookEvery = LOOK_EVERY_MS }: Options,
  report: (line: Sentence) => void,
): () => Promise<void> {
  const database = connectDatabase({ url, max: 1, applicationName: "notices" });
  const abort = new AbortController();
  let isTold = false;

  async function look(): Promise<void> {
    await database.query("select private.note_editor_news($1::boolean)", [String(webhook !== null)]);
    if (!webhook) return;
    for (;;) {
      const rows = await database.query(
        "select id, json_build_object('kind', kind, 'count', count, 'items', items) as notice from private.take_editor_notices()",
      );
      if (rows.length === 0) return;
      for (const { id, notice } of rows) {
        await post(webhook, composeNotice(JSON.parse(notice ?? ""), siteUrl), abort.signal);
        await database.query(
          "update public.editor_notices set webhook_next_at = null, webhook_sent_at = now() where id = $1",
          [id ?? ""],
        );
      }
    }
  }

  let looking: Promise<void> | null = null;
  const lookOnce = () => {
    if (looking || abort.signal.aborted) return;
    looking = look()
      .then(() => {
        isTold = false;
      })
      .catch(({ message }: Error) => {
        // What is away for an hour is told once.
        if (!abort.signal.aborted && !isTold)
          report(
            sentence`Editors could not be told what is new (${quoteScrubbed(message)}); it is tried again.`,
          );
        isTold = true;
      })
      .finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(lookOnce, lookEvery).unref();
  lookOnce();
  return async () => {
    abort.abort();
    clearInterval(timer);
    await looking;
    await database.close();
  };
}

/** @throws an error that does not name the address */
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
