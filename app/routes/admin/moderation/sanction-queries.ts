import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/site/site-clock.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { type SanctionInput, type SanctionKind, sanctionEnd } from "#domain/moderation/sanction.ts";

const RECORD =
  `id, sanctions!sanctions_user_id_fkey(id, kind, code, reason, until, created_at, counts_until, done_at, lifted_at),
  notes:case_notes!case_notes_user_id_fkey(id, note, created_at, author_id, author:profiles!case_notes_author_id_fkey(username)),
  opinion:second_opinions!second_opinions_user_id_fkey(asked_at, asker:profiles!second_opinions_asked_by_fkey(username))` as const;

/** Ids per request: an address has a limit. */
const AT_ONCE = 100;

/** These users' sanctions, latest first, and moderators' notes, by user. @throws the service's error */
export async function readRecords(client: SessionClient, ids: readonly string[]) {
  const starts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) => index * AT_ONCE);
  const pages = await Promise.all(
    starts.map((start) =>
      client
        .from("profiles")
        .select(RECORD)
        .in("id", ids.slice(start, start + AT_ONCE))
        .order("created_at", { referencedTable: "sanctions", ascending: false })
        .limit(20, { referencedTable: "sanctions" })
        .order("created_at", { referencedTable: "notes" })
        .throwOnError(),
    ),
  );
  return new Map(pages.flatMap(({ data }) => data.map((record) => [record.id, record])));
}

export type PersonRecord =
  Awaited<ReturnType<typeof readRecords>> extends Map<string, infer Record> ? Record : never;
export type Sanction = PersonRecord["sanctions"][number];

/** When a silence or sanction is over, in milliseconds since 1970; NaN if it does not last. */
export const endOf = (until: string | null) =>
  until === "infinity" ? Number.POSITIVE_INFINITY : Date.parse(until ?? "");

/** Whether it is still in force. */
export function isCounting({ lifted_at, counts_until }: Sanction): boolean {
  return lifted_at === null && Date.parse(counts_until) > siteNow();
}

type Failure = { code?: string; message: string };

const REFERS_TO_NOTHING = "23503";

/** What the service refused; in words if the user's account was deleted in the meantime. */
function explain<Error extends Failure>(error: Error | null): Error | null {
  if (error?.code !== REFERS_TO_NOTHING) return error;
  return { ...error, message: "Nothing was saved: this account was deleted in the meantime." };
}

/** The constraint violated if this device's clock is slow by more than the sanction's duration. */
const OVER_ALREADY = /(chat_silences|sanctions)_end_after_they_begin/;

type NewSanction = { id: string; personId: string; reportId: string | null; kind: SanctionKind };

/**
 * Sanctions a user from now on. It answers the open report `reportId`, if any, and is refused if someone else has done
 * so. A repeat with the same id, as after a lost answer, is no second strike; false if the stored one is not as sent.
 */
export async function sanctionPerson(
  client: SessionClient,
  { id, personId, reportId, kind }: NewSanction,
  input: SanctionInput,
): Promise<boolean> {
  const { length, code, reason, subject } = input;
  const { data, error } = await client
    .from("sanctions")
    .insert({
      id,
      user_id: personId,
      kind,
      code,
      reason,
      subject_id: subject || null,
      report_id: reportId,
      until: length ? sanctionEnd(length, siteNow()) : null,
    })
    .select("id")
    .maybeSingle();
  const stored = error && (await readSanction(client, id));
  if (stored) return isAsSent(stored, input);
  if (error && OVER_ALREADY.test(error.message)) {
    throw new Error("The clock of this device is slow: by the site's clock, this would already be over.");
  }
  requireRow({ data, error: explain(error) }, "person");
  return true;
}

/** What arrived; null if nothing did, or if that cannot be read either. */
async function readSanction(client: SessionClient, id: string) {
  const columns = "code, reason, subject_id, until, created_at";
  return (await client.from("sanctions").select(columns).eq("id", id).maybeSingle()).data;
}

type StoredSanction = NonNullable<Awaited<ReturnType<typeof readSanction>>>;

/** A request may take its time, but less than half of the shortest duration. */
const UNDER_WAY_MS = 5 * 60_000;

function isAsSent(stored: StoredSanction, { length, code, reason, subject }: SanctionInput): boolean {
  const end = endOf(stored.until);
  const meant = endOf(length ? sanctionEnd(length, Date.parse(stored.created_at)) : null);
  return (
    stored.code === code &&
    stored.reason === reason &&
    stored.subject_id === (subject || null) &&
    (Object.is(end, meant) || Math.abs(end - meant) < UNDER_WAY_MS)
  );
}

/**
 * Lifts a sanction, as far as it can be undone. If it is lifted already, as by an attempt whose answer was lost, that
 * counts.
 */
export async function liftSanction(client: SessionClient, id: string): Promise<void> {
  const lifting = client.from("sanctions").update({ lifted_at: new Date().toISOString() }).eq("id", id);
  const answer = await lifting.select("id").maybeSingle();
  if (answer.error) {
    const lifted = client.from("sanctions").select("id").eq("id", id).not("lifted_at", "is", null);
    if ((await lifted.maybeSingle()).data) return;
  }
  requireRow(answer, "sanction");
}

const NOBODY_ELSE = "42501";

/** Writes a note for other moderators; a repeat with the same id writes none. */
export async function addNote(client: SessionClient, id: string, personId: string, note: string) {
  const row = { id, user_id: personId, note };
  const { error } = await client.from("case_notes").upsert(row, { onConflict: "id", ignoreDuplicates: true });
  return { error: explain(error) };
}

export async function deleteNote(client: SessionClient, id: string): Promise<void> {
  const deleting = client.from("case_notes").delete().eq("id", id);
  requireRow(await deleting.select("id").maybeSingle(), "note");
}

/** Leaves the case to another moderator. */
export async function askSecondOpinion(client: SessionClient, personId: string): Promise<void> {
  const { error } = await client.from("second_opinions").insert({ user_id: personId });
  if (error?.code === NOBODY_ELSE) throw new Error("There’s no other moderator to ask.");
  if (error) throw explain(error);
}
