import type { SessionClient } from "#app/features/session/session-client.ts";
import { siteNow } from "#app/features/session/site-clock.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";
import { type SanctionInput, type SanctionKind, sanctionEnd } from "#domain/moderation/sanction.ts";

/** A user's sanctions, latest first, and moderators' notes. @throws the service's error */
export async function readRecord(client: SessionClient, personId: string) {
  const [sanctions, notes, opinion] = await Promise.all([
    client
      .from("sanctions")
      .select("id, kind, code, reason, removed, until, created_at, counts_until, done_at, lifted_at")
      .eq("user_id", personId)
      .order("created_at", { ascending: false })
      .limit(20)
      .throwOnError(),
    client
      .from("case_notes")
      .select("id, note, created_at, author:profiles!case_notes_author_id_fkey(username)")
      .eq("user_id", personId)
      .order("created_at")
      .throwOnError(),
    client
      .from("second_opinions")
      .select("asked_at, asker:profiles!second_opinions_asked_by_fkey(username)")
      .eq("user_id", personId)
      .maybeSingle()
      .throwOnError(),
  ]);
  return { sanctions: sanctions.data, notes: notes.data, opinion: opinion.data };
}

export type PersonRecord = Awaited<ReturnType<typeof readRecord>>;
export type Sanction = PersonRecord["sanctions"][number];

/** Whether it is still in force. */
export function isCounting({ lifted_at, counts_until }: Sanction): boolean {
  return lifted_at === null && Date.parse(counts_until) > siteNow();
}

/** The constraint violated if this device's clock is slow by more than the sanction's duration. */
const OVER_ALREADY = /(chat_silences|sanctions)_end_after_they_begin/;

/** Sanctions a user from now on; returns the id, for undoing it. */
export async function sanctionPerson(
  client: SessionClient,
  personId: string,
  kind: SanctionKind,
  { length, code, reason, subject }: SanctionInput,
): Promise<string> {
  const { data, error } = await client
    .from("sanctions")
    .insert({
      user_id: personId,
      kind,
      code,
      reason,
      subject_id: subject || null,
      until: length ? sanctionEnd(length, siteNow()) : null,
    })
    .select("id")
    .maybeSingle();
  if (error && OVER_ALREADY.test(error.message)) {
    throw new Error("The clock of this device is slow: by the site's clock, this would already be over.");
  }
  return requireRow({ data, error }, "person").id;
}

/** Lifts a sanction, as far as it can be undone. */
export async function liftSanction(client: SessionClient, id: string): Promise<void> {
  const lifting = client.from("sanctions").update({ lifted_at: new Date().toISOString() }).eq("id", id);
  requireRow(await lifting.select("id").maybeSingle(), "sanction");
}

const NOBODY_ELSE = "42501";

/** Leaves the case to another moderator. */
export async function askSecondOpinion(client: SessionClient, personId: string): Promise<void> {
  const { error } = await client.from("second_opinions").insert({ user_id: personId });
  if (error?.code === NOBODY_ELSE) throw new Error("There’s no other moderator to ask.");
  if (error) throw error;
}
