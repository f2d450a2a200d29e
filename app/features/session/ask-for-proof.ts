import { createQuestion } from "./question.ts";

export const proofQuestion = createQuestion();

/** Whether the service wants the person to show again that the account is theirs. */
export function needsProof(error: { code?: string | undefined } | null): boolean {
  return error?.code === "reauthentication_needed" && proofQuestion.isHeard();
}
