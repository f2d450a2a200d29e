import type { SessionClient } from "#app/features/session/session-client.ts";
import { requireRow } from "#app/routes/admin/shared/require-row.ts";

/** Appeals that wait for an answer, the oldest first. @throws the service's error */
export async function readAppeals(client: SessionClient) {
  const { data } = await client
    .from("appeals")
    .select(
      "sanction_id, message, created_at, sanction:sanctions(kind, code, reason, removed, until, created_at, person:profiles!sanctions_user_id_fkey(username))",
    )
    .is("answered_at", null)
    .order("created_at")
    .throwOnError();
  return data;
}

export type Appeal = Awaited<ReturnType<typeof readAppeals>>[number];

/** Answers once: granted takes the sanction back. */
export async function answerAppeal(
  client: SessionClient,
  sanctionId: string,
  { granted, answer }: { granted: boolean; answer: string },
): Promise<void> {
  const answering = client.from("appeals").update({ granted, answer }).eq("sanction_id", sanctionId);
  requireRow(await answering.select("sanction_id").maybeSingle(), "appeal");
}
