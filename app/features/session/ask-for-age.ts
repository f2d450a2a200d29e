import { createQuestion } from "./question.ts";

export const ageQuestion = createQuestion();

/** Asks for the age group; true if the user may retry what was refused. */
export const askForAge = ageQuestion.ask;

/** Whether the database requires the age group or a parent's permission first (supabase/schemas/age/voice.sql). */
export function needsAge(error: { code?: string | undefined; details?: string | null } | null): boolean {
  const isMeant = error?.details === "unasked" || error?.details === "child";
  return error?.code === "PT403" && isMeant && ageQuestion.isHeard();
}
