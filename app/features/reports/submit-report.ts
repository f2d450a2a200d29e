import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import type { ReportCode, ReportKind } from "#domain/moderation/report-code.ts";

/** Someone's content: a message or a rating by its id, a name or a picture by its owner's. */
export type ReportTarget = { kind: ReportKind; subjectId: string };

/** The code with which the database refuses a repeated report. */
const REPORTED_ALREADY = "23505";
const OWN = "reports_nobody_reports_themselves";

/** Sends a report; "known" if this user already did. @throws FormError, with the service's sentence if any */
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
