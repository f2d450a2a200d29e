import { createQuestion } from "./question.ts";

export const proofQuestion = createQuestion();

/** Whether the service requires a fresh proof of identity. */
export function needsProof(error: { code?: string | undefined } | null): boolean {
  return error?.code === "reauthentication_needed" && proofQuestion.isHeard();
}
