import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";

/** Answers a rating of oneself, once; an empty answer removes it. @throws FormError for the field `answer` */
export async function answerRating(client: SessionClient, ratingId: string, answer: string): Promise<void> {
  const { error } = await client.rpc("answer_rating", { rating_id: ratingId, answer });
  if (error) throw new FormError(error.message, { title: null, fields: ["answer"] });
}
