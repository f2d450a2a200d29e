import { needsAge } from "#app/features/session/ask-for-age.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { findHiddenWords } from "#domain/words/hidden-words.ts";
import { saveRating, type Trader } from "./trader-queries.ts";

type Refusal = NonNullable<Awaited<ReturnType<typeof saveRating>>["error"]>;

const UNREACHABLE = "Your rating could not be sent. Nothing is lost; please try again in a moment.";

/**
 * Sends a rating as the user who wrote it; returns the words of the comment that are hidden from others. Reports a
 * session that has ended (8.error.23).
 * @throws FormError for the comment
 */
export async function submitRating(
  client: SessionClient,
  writerId: string,
  traderId: string,
  { stars, comment }: RatingDraft,
): Promise<{ hidden: string[] } | "signed out" | { error: Refusal }> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw atComment(UNREACHABLE);
  // Somebody else may have logged in, in another tab.
  if (session?.user.id !== writerId) return refuseVisitor();
  const { data, error, status } = await saveRating(client, {
    rater_id: writerId,
    rated_user_id: traderId,
    rating: stars,
    comment: comment || null,
  });
  if (isSignedOutStatus(status)) {
    await endSession(client);
    return refuseVisitor();
  }
  // The form asks for the age group first, and sends again.
  if (error && needsAge(error)) return { error };
  if (error) throw atComment(describeFailure(error, status));
  return { hidden: findHiddenWords(comment, data?.comment ?? "") };
}

function atComment(sentence: string): FormError {
  return new FormError(sentence, { title: null, fields: ["comment"] });
}

function refuseVisitor(): "signed out" {
  showToast({ title: "Please log in to rate users", variant: "destructive" });
  return "signed out";
}

/** The codes with which the database refuses by rule, right and limit. */
const SENTENCES = new Set(["23514", "42501", "PT429"]);

/** The database explains refused comments in a sentence; constraint violations it names in developers' terms only. */
function describeFailure({ code, message }: { code: string; message: string }, status: number): string {
  if (status === 0 || status >= 500) return UNREACHABLE;
  const isSentence = SENTENCES.has(code) && !/violates|permission denied/.test(message);
  return isSentence ? message : "This trader can’t be rated right now.";
}

export type RatedTrader = Pick<Trader, "id" | "username">;

export type RatingDraft = { stars: number; comment: string };
