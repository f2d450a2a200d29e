import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import type { ReportCode, ReportKind } from "#domain/moderation/report-code.ts";

/** Something of a person: a message or a rating by its id, a name or a picture by the person's. */
export type ReportTarget = { kind: ReportKind; subjectId: string };

/** What the database refuses a report of something with that this person reported before. */
const REPORTED_ALREADY = "23505";
const OWN = "reports_nobody_reports_themselves";

/**
 * Tells the moderators; "known" where they know it from this person already.
 * @throws FormError, with the sentence of the service where it has one
 */
export async function submitReport(
  client: SessionClient,
  { kind, subjectId }: ReportTarget,
  code: ReportCode,
): Promise<"new" | "known"> {
  const { error } = await client.from("reports").insert({ kind, subject_id: subjectId, code });
  if (error?.code === REPORTED_ALREADY) return "known";
  if (error?.message.includes(OWN)) throw new FormError("This is your own.");
  if (error) throw error;
  return "new";
}
