import { needsAge } from "#app/features/session/ask-for-age.ts";
import { endSession, isSignedOutStatus, readLiveSession } from "#app/features/session/live-session.ts";
import type { SessionClient } from "#app/features/session/session-client.ts";
import { FormError } from "#app/ui/form/form-error.ts";
import { showToast } from "#app/ui/toast/toast-store.ts";
import { findHiddenWords } from "#domain/words/hidden-words.ts";
import type { RatingDraft } from "./rating-draft.ts";
import { saveRating } from "./trader-queries.ts";

type Refusal = NonNullable<Awaited<ReturnType<typeof saveRating>>["error"]>;

const UNREACHABLE = "Your rating could not be sent. Nothing is lost; please try again in a moment.";

/**
 * Sends a rating in the name of whoever is signed in now, and gives the words of the comment that nobody sees; a session
 * that has ended is told (8.error.23).
 * @throws FormError at the comment
 */
export async function submitRating(
  client: SessionClient,
  traderId: string,
  { stars, comment }: RatingDraft,
): Promise<{ hidden: string[] } | "signed out" | { error: Refusal }> {
  const { session, isUnreachable } = await readLiveSession(client);
  if (isUnreachable) throw atComment(UNREACHABLE);
  if (!session) return refuseVisitor();
  const { data, error, status } = await saveRating(client, {
    rater_id: session.user.id,
    rated_user_id: traderId,
    rating: stars,
    comment: comment || null,
  });
  if (isSignedOutStatus(status)) {
    await endSession(client);
    return refuseVisitor();
  }
  // The form asks first, and sends again.
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

/** What a rule, a right and a limit of the database refuse with. */
const SENTENCES = new Set(["23514", "42501", "PT429"]);

/** The database says in a sentence what is wrong with a comment; its own rules it names in words for developers. */
function describeFailure({ code, message }: { code: string; message: string }, status: number): string {
  if (status === 0 || status >= 500) return UNREACHABLE;
  const isSentence = SENTENCES.has(code) && !/violates|permission denied/.test(message);
  return isSentence ? message : "This trader can’t be rated right now.";
}
